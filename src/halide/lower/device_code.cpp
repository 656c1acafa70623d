#include "halide/lower/device_code.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "core/lowered/code_facts.h"
#include "core/lowered/live_values.h"
#include "halide/lower/cuda_defects.h"
#include "halide/lower/opencl_defects.h"
#include "halide/lower/read_loops.h"
#include "halide/read/target_api.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

class RemoveKernels : public ir::IRMutator {
public:
    explicit RemoveKernels(const std::vector<size_t> &kept) : kept_(kept) {}

protected:
    using IRMutator::visit;
    ir::Stmt visit(const ir::For *op) override {
        if (op->for_type != ir::ForType::GPUBlock) return IRMutator::visit(op);
        const bool kept = std::ranges::binary_search(kept_, seen_++);
        return kept ? ir::Stmt(op) : ir::Evaluate::make(0);
    }

private:
    const std::vector<size_t> &kept_;  // ascending
    size_t seen_ = 0;
};

// PTX or OpenCL C.
std::string source_of(const Halide::Module &module) {
    for (const Halide::Buffer<> &buffer : module.buffers()) {
        if (buffer.name().find("gpu_source_kernels") == std::string::npos) continue;
        const auto *first = static_cast<const char *>(buffer.data());
        const char *last = first + buffer.size_in_bytes();
        return {first, std::find(first, last, '\0')};
    }
    return {};
}

// Only so many kernels are compiled, for a pipeline of hundreds would take minutes: those that run
// at the estimates first, and of these, as of the others, those that keep most values.
constexpr size_t kMostAsked = 24;

bool are_alike(const KernelLaunch &a, const KernelLaunch &b) {
    return a.live_words == b.live_words && a.values == b.values;
}

// The same kernel in two trials, as far as can be seen.
bool are_same(const KernelLaunch &a, const KernelLaunch &b) {
    return are_alike(a, b) && a.name == b.name && std::ranges::equal(a.threads, b.threads) &&
           std::ranges::equal(a.blocks, b.blocks) && a.shared_bytes == b.shared_bytes;
}

}  // namespace

std::optional<std::string_view> defect_of_code(const Halide::Module &module,
                                               const Halide::Target &target,
                                               const Schedule &schedule) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (api == GpuApi::cuda) return defect_of_ptx(source_of(module));
    if (api != GpuApi::opencl) return std::nullopt;
    const std::string source = source_of(module);
    const bool has_sections = std::ranges::any_of(
        schedule, [](const Directive &directive) { return shape(directive.op).sizes; });
    const BarrierGuards doubtful = has_sections ? BarrierGuards::any : BarrierGuards::outside_loops;
    if (has_guarded_barrier(source, doubtful)) {
        return "there would be barriers under conditions, of which PoCL makes wrong code";
    }
    return defect_of_opencl(source);
}

Status count_live_words(const ir::Stmt &lowered, const Halide::Pipeline &pipeline,
                        const Halide::Target &target, const GivenSizes &sizes,
                        std::vector<KernelLaunch> &kernels) {
    const Result<lowered::Code> code = read_loops(lowered, pipeline, target, sizes);
    if (!code) return code.error();
    const std::vector<lowered::StatementId> loops = CodeFacts(*code).kernels;
    for (size_t i = 0; i < std::min(loops.size(), kernels.size()); ++i) {
        const LiveValues live = live_values(*code, loops[i]);
        kernels[i].live_words = live.most_words;
        kernels[i].values = live.values;
    }
    return Ok{};
}

void take_known_usage(const CodeCheck &check, std::vector<KernelLaunch> &kernels) {
    for (KernelLaunch &kernel : kernels) {
        const auto known = std::ranges::find_if(
            check.known, [&](const KernelLaunch &other) { return are_same(kernel, other); });
        if (known == check.known.end()) continue;
        kernel.registers = known->registers;
        kernel.spill_bytes = known->spill_bytes;
    }
}

std::vector<size_t> kernels_to_ask_about(const std::vector<KernelLaunch> &kernels,
                                         const CodeCheck &check) {
    std::vector<size_t> result;
    if (!check.assemble) return result;
    for (size_t i = 0; i < kernels.size(); ++i) {
        const bool hopeless = kernels[i].live_words >= check.hopeless_live_words;
        if (hopeless && kernels[i].at_estimates) return {};
        const bool doubtful = kernels[i].live_words >= check.doubtful_live_words ||
                              kernels[i].values >= check.doubtful_values;
        if (!doubtful) continue;
        if (kernels[i].is_assembled()) continue;
        const bool known = std::ranges::any_of(
            result, [&](size_t asked) { return are_alike(kernels[asked], kernels[i]); });
        if (!known) result.push_back(i);
    }
    if (result.size() <= kMostAsked) return result;
    std::ranges::stable_sort(result, std::greater<>(), [&](size_t i) {
        return std::pair(kernels[i].at_estimates, kernels[i].live_words);
    });
    result.resize(kMostAsked);
    std::ranges::sort(result);
    return result;
}

ir::Stmt with_kernels_only(const ir::Stmt &lowered, const std::vector<size_t> &kernels) {
    return RemoveKernels(kernels).mutate(lowered);
}

Result<std::vector<CodeCheck::Usage>> usage_of_code(const Halide::Module &module,
                                                    const CodeCheck &check, size_t kernels) {
    Result<std::vector<CodeCheck::Usage>> usage = check.assemble(source_of(module));
    if (usage && usage->size() != kernels) {
        return Error{"the assembler found " + std::to_string(usage->size()) +
                     " kernels instead of " + std::to_string(kernels)};
    }
    return usage;
}

void set_usage(const std::vector<size_t> &checked, const std::vector<CodeCheck::Usage> &usage,
               std::vector<KernelLaunch> &kernels) {
    for (size_t i = 0; i < checked.size(); ++i) {
        for (KernelLaunch &launch : kernels) {
            if (launch.is_assembled() || !are_alike(launch, kernels[checked[i]])) continue;
            launch.registers = usage[i].registers;
            launch.spill_bytes = usage[i].spill_bytes;
        }
    }
}

}  // namespace autoschedule_gpu
