#include "scheduler/decisions/kinds/padding.h"

#include <string>

#include "scheduler/decisions/kinds/on_off.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/padding.h"

namespace autoschedule_gpu {

namespace {

bool is_padded(const Kernel &kernel, StageId stage) {
    const Band *threads = find_threads(kernel, stage);
    return threads != nullptr && threads->row != 0;
}

}  // namespace

std::vector<DecisionValue> PaddingKind::choices(const Dag &dag, const GpuModel &gpu,
                                                const KernelPtr &kernel, StageId stage) const {
    if (is_padded(*kernel, stage)) return {kOff, kOn};
    const std::optional<int64_t> row = padded_row(dag, *kernel, stage);
    if (!row) return {kOff};
    FeatureExtractor extractor(dag, gpu);
    const double bytes =
        extractor.extract(*store_rows(kernel, stage, *row)).kernel.shared_bytes_per_block;
    if (bytes > static_cast<double>(gpu.shared_bytes_per_block)) return {kOff};
    return {kOff, kOn};
}

std::optional<DecisionValue> PaddingKind::value(const Kernel &kernel, StageId stage) const {
    return is_padded(kernel, stage) ? kOn : kOff;
}

Result<KernelPtr> PaddingKind::decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                                      const DecisionValue &value) const {
    const std::string *name = std::get_if<std::string>(&value);
    if (name == nullptr || (*name != kOff && *name != kOn)) return Error{"expected off or on"};
    const KernelPtr without = is_padded(*kernel, stage) ? store_rows(kernel, stage, 0) : kernel;
    if (*name == kOff) return without;
    const std::optional<int64_t> row = padded_row(dag, *without, stage);
    return row ? store_rows(without, stage, *row) : without;
}

}  // namespace autoschedule_gpu
