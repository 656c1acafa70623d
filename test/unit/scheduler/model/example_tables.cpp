#include "unit/scheduler/model/example_tables.h"

#include <cmath>

#include "core/support/random.h"
#include "scheduler/features/feature_extractor.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu::example {

const GpuModel &gpu() {
    static const GpuModel model = find_preset("a100").value();
    return model;
}

FeatureTable table_of(const Dag &dag, std::string_view text, size_t kernel) {
    return FeatureExtractor(dag, gpu()).extract(*parsed(dag, text).kernels[kernel]);
}

std::vector<FeatureTable> tables_of_all_kinds() {
    const Dag copied = copy(4096, 4096), stencils = two_stencils(4096, 4096);
    const Dag product = matmul_output(512), scalar = zero_dim(1000);
    const Dag spread = transpose(2048, 2048);
    return {
        table_of(copied, "kernel out\n  out threads x=32 y=8\n"),
        table_of(stencils, "kernel f1\n  f0 threads x=34 y=10\n  f1 threads x=32 y=8\n"),
        table_of(stencils,
                 "kernel f1\n  f1 threads x=32 y=8\n    f0 serial x=3 y=3\n    f1 serial\n"),
        table_of(stencils, "inline: f0\nkernel f1\n  f1 threads x=32 y=8\n    f1 serial x=2 y=4\n"),
        table_of(product,
                 "kernel out.update(0)\n  out.update(0) threads x=32 y=4\n"
                 "    out.update(0) serial x=2 y=4\nkernel out\n  out threads x=32\n"),
        table_of(scalar, "kernel sum\nkernel sum.update(0)\n", 1),
        table_of(spread, "kernel out\n  out threads x=16 y=16\n"),
    };
}

FeatureTable random_table(uint64_t seed, size_t stages, double most) {
    Random random(seed);
    const auto draw = [&] {
        return random.below(8) == 0 ? 0 : std::pow(1 + most, random.unit()) - 1;
    };
    FeatureTable table;
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        set_kernel_feature(table.kernel, i, draw());
    }
    table.kernel.on_host = 0;
    table.stages.resize(stages);
    for (StageFeatures &stage : table.stages) {
        for (size_t i = 0; i < stage_feature_list().size(); ++i) {
            set_stage_feature(stage, i, draw());
        }
        for (size_t i = 0; i < algorithm_feature_list().size(); ++i) {
            set_algorithm_feature(stage.algorithm, i, draw());
        }
    }
    return table;
}

}  // namespace autoschedule_gpu::example
