#include <cmath>

#include "scheduler/features/feature_groups.h"

namespace autoschedule_gpu {

namespace {

// Returns how often the stage's Func is produced in the whole launch.
double realizations(const KernelFacts &facts, const StageFacts &stage) {
    if (facts.is_root(stage)) return 1;
    const ThreadFacts &threads = *stage.threads;
    const bool in_thread = !stage.owns_threads();
    const bool own_loop = has_own_loop(*threads.band) && !in_thread;
    return facts.blocks * (own_loop ? 1 : threads.loop_iterations) *
           (in_thread ? threads.threads : 1);
}

double reduction_split(const KernelFacts &facts, const StageFacts &stage) {
    double parts = 1;
    if (!stage.owns_threads()) return parts;
    const Band &threads = *stage.threads->band;
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    for (size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].dim >= 0) continue;
        if (!is_shared_reduction(facts.dag, facts.kernel, threads, i)) continue;
        parts *= static_cast<double>(threads.trips[i]);
        if (facts.is_root(stage)) parts *= static_cast<double>(facts.kernel.blocks->trips[i]);
    }
    return parts;
}

void add_parallelism(const KernelFacts &facts, const StageFacts &stage, StageFeatures &row) {
    const double lanes = stage.threads->warps * static_cast<double>(facts.gpu.warp_size);
    row.num_threads_per_block = stage.threads->threads;
    row.num_active_warps_per_block = stage.threads->warps;
    row.warp_lane_utilization = row.num_threads_per_block / lanes;
    row.idle_lane_wastage =
        (lanes - row.num_threads_per_block) / static_cast<double>(facts.gpu.max_threads_per_block);
    row.serial_iterations = stage.passes * stage.waiting_steps;
    row.waiting_steps = row.serial_iterations - stage.passes;
    row.steps_ahead = stage.steps_ahead;
    row.num_realizations = realizations(facts, stage);
    row.reduction_split = reduction_split(facts, stage);
}

}  // namespace

void set_grid(const GpuModel &gpu, double blocks, double threads, KernelFeatures &row) {
    row.num_blocks = blocks;
    row.threads_per_block = threads;
    row.num_warps_per_block = std::ceil(threads / static_cast<double>(gpu.warp_size));
    // Appendix B of Anderson 2021, but for fewer blocks than SMs, which leave some idle as well.
    const double rounds = blocks / static_cast<double>(gpu.sm_count);
    row.idle_core_wastage = rounds > 0 ? std::ceil(rounds) / rounds : 1;
}

void add_parallelism(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    KernelFeatures &row = table.kernel;
    row.barriers_per_block = -1;  // none at the end
    for (const ThreadFacts &threads : facts.threads) {
        row.barriers_per_block += threads.loop_iterations;
    }
    set_grid(facts.gpu, facts.blocks, static_cast<double>(facts.block_size.total()), row);
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        add_parallelism(facts, facts.stages[i], table.stages[i]);
    }
}

}  // namespace autoschedule_gpu
