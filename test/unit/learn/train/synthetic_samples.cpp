#include "unit/learn/train/synthetic_samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/gpu/occupancy.h"

namespace autoschedule_gpu::synthetic {

namespace {

// What a stage computes, in any schedule.
struct Stage {
    double points, fp32, integer, special, loads, bytes;
};

double log_uniform(Random &random, double least, double greatest) {
    return least * std::pow(greatest / least, random.unit());
}

double power_of_two(Random &random, int64_t least, int64_t greatest) {
    return std::exp2(static_cast<double>(random.between(least, greatest)));
}

// Box and Muller (1958).
double normal(Random &random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    return radius * std::cos(2 * std::numbers::pi * random.unit());
}

std::vector<Stage> random_stages(Random &random, size_t count) {
    const double points = log_uniform(random, 3e5, 2e7);
    std::vector<Stage> stages(count > 0 ? count : 2 + random.below(7));
    for (Stage &stage : stages) {
        stage = {.points = std::ceil(points / power_of_two(random, 0, 4)),
                 .fp32 = std::round(log_uniform(random, 1, 100)),
                 .integer = std::round(log_uniform(random, 2, 30)),
                 .special = random.below(3) > 0 ? 0.0 : std::round(log_uniform(random, 1, 8)),
                 .loads = std::round(log_uniform(random, 1, 25)),
                 .bytes = power_of_two(random, 0, 2)};
    }
    return stages;
}

AlgorithmFeatures algorithm_of(const Stage &stage) {
    AlgorithmFeatures a;
    a.ops_add = std::floor(stage.fp32 / 2);
    a.ops_mul = stage.fp32 - a.ops_add;
    a.ops_transcendental = stage.special;
    a.ops_compare = stage.integer;
    a.ops_on_integers = stage.integer;
    a.ops_on_singles = stage.fp32 + stage.special;
    a.loads = stage.loads;
    a.bytes_per_point = stage.bytes;
    a.dimensions = 2;
    return a;
}

// How a kernel is launched.
struct Launch {
    double threads, blocks, points_per_thread;
};

StageFeatures stage_row(Random &random, const GpuModel &gpu, const Stage &stage,
                        const Launch &launch, bool in_block, bool reads_block) {
    StageFeatures s;
    const double recompute = in_block ? 1 + 0.8 * random.unit() : 1;
    const double points = launch.points_per_thread * recompute;
    s.algorithm = algorithm_of(stage);
    s.num_threads_per_block = launch.threads;
    s.num_active_warps_per_block = std::ceil(launch.threads / 32);
    s.warp_lane_utilization = 1;
    s.points_computed_per_thread = points;
    s.num_scalars = points * launch.threads * launch.blocks;
    s.serial_iterations = random.below(2) > 0 ? 1 : points;
    s.unrolled_points = points / s.serial_iterations;
    s.num_realizations = in_block ? launch.blocks : 1;
    s.fp32_ops_per_thread = stage.fp32 * points;
    s.fp32_fused_per_thread = std::floor(stage.fp32 / 3) * points;
    s.int_ops_per_thread = stage.integer * points;
    s.special_ops_per_thread = stage.special * points;
    s.vector_width = 1;
    s.expr_branching = 2 + std::round(stage.fp32 / 20);

    const double sector = static_cast<double>(gpu.l1_sector_bytes);
    const double loads = stage.loads * std::max(1.0, points * 0.6);
    const double used = loads * launch.threads * stage.bytes;
    if (reads_block) {
        const double conflicts = power_of_two(random, 0, 3);
        s.shared_loads_per_thread = loads;
        s.num_shared_mem_loads_per_block = loads * s.num_active_warps_per_block * conflicts;
        s.shared_mem_load_efficiency = 1 / conflicts;
        s.unique_shared_bytes_read_per_thread = loads * stage.bytes;
    } else {
        s.global_mem_load_efficiency = 1 / power_of_two(random, 0, 4);
        s.global_loads_per_thread = loads;
        s.num_global_mem_loads_per_block = used / sector / s.global_mem_load_efficiency;
        s.unique_global_bytes_read_per_thread = loads * stage.bytes;
        s.unique_bytes_read_per_task = used / stage.loads;
    }
    const double stored = points * launch.threads * stage.bytes;
    if (in_block) {
        s.shared_stores_per_thread = points;
        s.num_shared_mem_stores_per_block = points * s.num_active_warps_per_block;
        s.shared_mem_store_efficiency = 1;
        s.shared_bytes_at_task = stored;
    } else {
        s.global_stores_per_thread = points;
        s.global_mem_store_efficiency = 1 / power_of_two(random, 0, 2);
        s.num_global_mem_stores_per_block = stored / sector / s.global_mem_store_efficiency;
        s.global_bytes_at_task = stored;
        s.global_innermost_bytes_at_task = stored / 8;
    }
    return s;
}

// The kernel that computes the stages [first, end), the last one to global memory.
FeatureTable random_kernel(Random &random, const GpuModel &gpu, const std::vector<Stage> &stages,
                           size_t first, size_t end) {
    Launch launch{.threads = power_of_two(random, 5, 10),
                  .blocks = 0,
                  .points_per_thread = power_of_two(random, 0, 5)};
    launch.blocks = std::ceil(stages[end - 1].points / launch.threads / launch.points_per_thread);
    FeatureTable table;
    KernelFeatures &k = table.kernel;
    k.num_blocks = launch.blocks;
    k.threads_per_block = launch.threads;
    k.num_warps_per_block = std::ceil(launch.threads / 32);
    k.barriers_per_block = static_cast<double>(end - first - 1);
    double expressions = 0;
    for (size_t i = first; i < end; ++i) {
        const bool in_block = i + 1 < end;
        const bool reads_block = i > first;
        table.stages.push_back(stage_row(random, gpu, stages[i], launch, in_block, reads_block));
        const StageFeatures &s = table.stages.back();
        expressions = std::max(expressions, s.expr_branching);
        k.shared_bytes_per_block += s.shared_bytes_at_task;
        k.block_global_read_sectors += s.num_global_mem_loads_per_block / 2;
        k.dram_bytes_read += s.unique_bytes_read_per_task * launch.blocks;
        k.dram_bytes_written += s.global_bytes_at_task * launch.blocks;
    }
    k.shared_bytes_per_block = std::min(k.shared_bytes_per_block, 49152.0);
    k.global_bytes_read = k.dram_bytes_read;
    k.registers_per_thread = 12 + 3 * expressions + 1.5 * launch.points_per_thread;
    k.spills_per_thread = std::max(0.0, k.registers_per_thread - 64);

    const double sms = static_cast<double>(gpu.sm_count);
    k.idle_core_wastage = std::ceil(launch.blocks / sms) / (launch.blocks / sms);
    const Occupancy resident =
        occupancy(gpu, static_cast<int64_t>(launch.threads),
                  static_cast<int64_t>(std::min(64.0, k.registers_per_thread)),
                  static_cast<int64_t>(k.shared_bytes_per_block));
    k.max_warp_occupancy = resident.warp_occupancy;
    k.max_block_occupancy =
        static_cast<double>(resident.blocks_per_sm) / static_cast<double>(gpu.max_blocks_per_sm);
    k.block_occupancy = launch.threads / static_cast<double>(gpu.max_threads_per_block);
    k.shared_mem_occupancy =
        k.shared_bytes_per_block / static_cast<double>(gpu.shared_bytes_per_block);
    return table;
}

std::vector<FeatureTable> random_schedule(Random &random, const GpuModel &gpu,
                                          const std::vector<Stage> &stages) {
    std::vector<FeatureTable> kernels;
    for (size_t first = 0; first < stages.size();) {
        const size_t most = std::min<size_t>(stages.size() - first, 4);
        const size_t end = first + 1 + random.below(most);
        kernels.push_back(random_kernel(random, gpu, stages, first, end));
        first = end;
    }
    return kernels;
}

double stage_ns(const HiddenDevice &device, const GpuModel &gpu, const KernelFeatures &k,
                const StageFeatures &s) {
    const double per_cycle = static_cast<double>(gpu.sm_count) * gpu.clock_ghz;
    const double threads = k.num_blocks * s.num_threads_per_block;
    const double arithmetic = device.arithmetic * threads *
                              (s.fp32_ops_per_thread - s.fp32_fused_per_thread +
                               s.int_ops_per_thread + device.special * s.special_ops_per_thread) /
                              (per_cycle * static_cast<double>(gpu.fp32_lanes_per_sm));
    const double sectors = s.num_global_mem_loads_per_block *
                               (1 + device.uncoalesced * (1 - s.global_mem_load_efficiency)) +
                           s.num_global_mem_stores_per_block;
    const double memory = device.memory * k.num_blocks * sectors *
                          static_cast<double>(gpu.l1_sector_bytes) / gpu.l2_bandwidth_gb_per_s;
    const double shared = device.shared * k.num_blocks *
                          (s.num_shared_mem_loads_per_block + s.num_shared_mem_stores_per_block) /
                          per_cycle;
    const double most = std::max({arithmetic, memory, shared});
    return most + 0.2 * (arithmetic + memory + shared - most);
}

}  // namespace

HiddenDevice slow_memory_device() {
    return {.name = "synthetic B",
            .arithmetic = 2,
            .memory = 0.6,
            .shared = 6,
            .special = 15,
            .uncoalesced = 1.5,
            .enough_warps = 0.6,
            .spill = 0.4,
            .launch_us = 6};
}

double true_ns(const HiddenDevice &device, const GpuModel &gpu,
               const std::vector<FeatureTable> &kernels) {
    double sum = 0;
    for (const FeatureTable &table : kernels) {
        const KernelFeatures &k = table.kernel;
        double work = 0;
        for (const StageFeatures &s : table.stages) work += stage_ns(device, gpu, k, s);
        const double waiting =
            std::max(1.0, std::pow(device.enough_warps / k.max_warp_occupancy, 0.7));
        sum += 1000 * device.launch_us +
               work * waiting * k.idle_core_wastage * (1 + device.spill * k.spills_per_thread);
    }
    return sum;
}

SampleFile samples(const Settings &settings) {
    SampleFile file;
    file.origin = {.device = settings.device.name,
                   .driver = "1",
                   .gpu = find_preset("A100").value(),
                   .halide = "21.0.0",
                   .plugin = "0.1.0",
                   .date = "2026-01-01",
                   .command = "synthetic"};
    const Random seeded(settings.seed);
    for (size_t p = 0; p < settings.pipelines; ++p) {
        Random random = seeded.fork(p);
        const std::vector<Stage> stages = random_stages(random, settings.stages);
        for (size_t i = 0; i < settings.schedules; ++i) {
            Sample sample;
            sample.pipeline =
                p < settings.applications
                    ? "app:" + std::to_string(p)
                    : "synthetic:" + std::to_string(settings.seed) + "." + std::to_string(p);
            sample.schedule = "seed=" + std::to_string(i);
            sample.kernels = random_schedule(random, file.origin.gpu, stages);
            double ms = 1e-6 * true_ns(settings.device, file.origin.gpu, sample.kernels) *
                        std::exp(settings.noise * normal(random));
            if (random.unit() < settings.corrupted) ms *= log_uniform(random, 1.0 / 30, 30);
            // Three runs; the median is `ms`.
            sample.times_ms = {ms * 1.01, ms, ms * 0.99};
            file.samples.push_back(std::move(sample));
        }
    }
    return file;
}

}  // namespace autoschedule_gpu::synthetic
