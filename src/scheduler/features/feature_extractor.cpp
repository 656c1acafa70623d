#include "scheduler/features/feature_extractor.h"

#include <optional>
#include <utility>

#include "scheduler/features/extraction_scratch.h"
#include "scheduler/features/feature_groups.h"
#include "scheduler/features/flat_stage.h"
#include "scheduler/features/kernel_facts.h"
#include "scheduler/features/launch_features.h"

namespace autoschedule_gpu {

namespace {

// Of an extern stage, which has no loops, its points.
double num_scalars_on_host(const Dag &dag, const Stage &stage) {
    double scalars = 1;
    for (const Loop &loop : stage.loops) {
        scalars *= static_cast<double>(estimated_range(dag, stage, loop).extent());
    }
    if (!stage.loops.empty()) return scalars;
    for (const Dimension &dim : dag.func(stage.func).dims) {
        scalars *= static_cast<double>(dim.estimate.extent());
    }
    return scalars;
}

// Returns the table of a kernel on the host, of which only its size is known.
FeatureTable table_on_host(const Dag &dag, const Kernel &kernel) {
    FeatureTable table;
    table.kernel.on_host = 1;
    StageFeatures row;
    row.stage = static_cast<int32_t>(kernel.stage.index());
    row.num_scalars = num_scalars_on_host(dag, dag.stage(kernel.stage));
    table.stages.push_back(row);
    return table;
}

// Returns the table of a kernel that Halide drops, since what it computes is undefined: of no
// blocks.
FeatureTable table_of_nothing(const Kernel &kernel) {
    FeatureTable table;
    table.stages.emplace_back().stage = static_cast<int32_t>(kernel.stage.index());
    return table;
}

// Of a kernel that does not run on the device.
std::optional<FeatureTable> table_without_device(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host) return table_on_host(dag, kernel);
    if (dag.stage(kernel.stage).is_undefined) return table_of_nothing(kernel);
    return std::nullopt;
}

FeatureTable table_of(const KernelFacts &facts, ExtractionScratch &scratch,
                      std::span<const FeatureGroup> groups) {
    FeatureTable table;
    table.stages.resize(facts.stages.size());
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        table.stages[i].stage = static_cast<int32_t>(facts.stages[i].stage.index());
    }
    for (const FeatureGroup &group : groups) group.add(facts, scratch, table);
    return table;
}

}  // namespace

FeatureExtractor::FeatureExtractor(const Dag &dag, const GpuModel &gpu)
    : dag_(dag),
      gpu_(gpu),
      flats_(std::make_unique<FlatStages>(dag)),
      scratch_(std::make_unique<ExtractionScratch>(dag, gpu)) {}

FeatureExtractor::FeatureExtractor(FeatureExtractor &&) noexcept = default;
FeatureExtractor::~FeatureExtractor() = default;

KernelFacts FeatureExtractor::facts_of_kernel(const Kernel &kernel) {
    scratch_->reset();
    return facts_of(dag_, gpu_, kernel, *flats_, *scratch_);
}

FeatureTable FeatureExtractor::extract(const Kernel &kernel) {
    return extract(kernel, feature_groups());
}

FeatureTable FeatureExtractor::extract(const Kernel &kernel, const RegisterUse &compiled) {
    if (auto table = table_without_device(dag_, kernel)) return *std::move(table);
    KernelFacts facts = facts_of_kernel(kernel);
    set_register_use(compiled, facts);
    return table_of(facts, *scratch_, feature_groups());
}

FeatureTable FeatureExtractor::extract(std::span<const KernelPtr> launch,
                                       const RegisterUse *compiled) {
    if (launch.size() == 1) {
        return compiled ? extract(*launch.front(), *compiled) : extract(*launch.front());
    }
    std::vector<LaunchPart> parts;
    for (const KernelPtr &kernel : launch) {
        KernelFacts facts = facts_of_kernel(*kernel);
        // What the launch spills is counted once.
        const int64_t spilled = compiled && parts.empty() ? compiled->spill_bytes : 0;
        if (compiled) set_register_use({compiled->registers, spilled}, facts);
        parts.push_back(launch_part(facts, table_of(facts, *scratch_, feature_groups())));
    }
    return table_of_launch(dag_, gpu_, std::move(parts));
}

FeatureTable FeatureExtractor::extract(const Kernel &kernel, std::span<const FeatureGroup> groups) {
    if (auto table = table_without_device(dag_, kernel)) return *std::move(table);
    return table_of(facts_of_kernel(kernel), *scratch_, groups);
}

}  // namespace autoschedule_gpu
