#include "scheduler/model/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/gpu/occupancy.h"
#include "core/support/random.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/instruction_count.h"
#include "unit/example_dags.h"
#include "unit/scheduler/model/example_tables.h"

namespace autoschedule_gpu {
namespace {

using example::table_of;

double cost(const FeatureTable &table, const GpuModel &gpu = example::gpu()) {
    return Roofline(gpu).explain(table).total;
}

std::vector<FeatureTable> samples() {
    return example::tables_of_all_kinds();
}

using Change = std::function<void(FeatureTable &)>;

void expect_not_cheaper(const char *what, const Change &more) {
    for (size_t i = 0; i < samples().size(); ++i) {
        FeatureTable table = samples()[i];
        double before = cost(table);
        for (int round = 0; round < 6; ++round) {
            more(table);
            const double after = cost(table);
            EXPECT_GE(after, before * (1 - 1e-12)) << what << ", sample " << i;
            before = after;
        }
    }
}

TEST(Roofline, KernelsOfWhatIsUndefinedCostNothing) {
    Dag dag = example::histogram(64, 32);
    const auto table = [&] {
        return table_of(dag,
                        "kernel out\n  out threads x=32 y=8\n"
                        "kernel hist\n  hist threads i=32\n"
                        "kernel hist.update(0)\n",
                        1);
    };
    EXPECT_GT(cost(table()), 0);
    for (Stage &stage : dag.stages) {
        const bool has_updates = dag.func(stage.func).stages.size() > 1;
        stage.is_undefined = has_updates && stage.index == 0;
    }
    EXPECT_EQ(cost(table()), 0);
}

TEST(Roofline, IsNotCheaperForMoreTraffic) {
    expect_not_cheaper("DRAM reads", [](FeatureTable &t) {
        t.kernel.dram_bytes_read = std::min(2 * t.kernel.dram_bytes_read + 1000, 1e12);
    });
    expect_not_cheaper("DRAM writes", [](FeatureTable &t) {
        t.kernel.dram_bytes_written = 2 * t.kernel.dram_bytes_written + 1000;
    });
    expect_not_cheaper("loads", [](FeatureTable &t) {
        t.kernel.block_global_read_sectors *= 1.5;
        for (StageFeatures &s : t.stages) {
            s.num_global_mem_loads_per_block *= 1.5;
            s.global_loads_per_thread *= 1.5;
        }
    });
    expect_not_cheaper("store sectors", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) s.num_global_mem_stores_per_block += 100;
    });
    expect_not_cheaper("distinct sectors of a block", [](FeatureTable &t) {
        t.kernel.block_global_read_sectors *= 1.1;
        for (StageFeatures &s : t.stages) s.num_global_mem_loads_per_block *= 1.1;
    });
    expect_not_cheaper("wavefronts", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) {
            s.global_load_wavefronts_per_block = 2 * s.global_load_wavefronts_per_block + 10;
            s.global_store_wavefronts_per_block += 10;
        }
    });
    expect_not_cheaper("stores of parts of sectors", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) s.global_mem_store_efficiency *= 0.75;
    });
    expect_not_cheaper("shared transactions", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) s.num_shared_mem_loads_per_block += 50;
    });
}

TEST(Roofline, IsNotCheaperForMoreWorkPerThread) {
    expect_not_cheaper("arithmetic", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) s.fp32_ops_per_thread = 2 * s.fp32_ops_per_thread + 10;
    });
    expect_not_cheaper("integers", [](FeatureTable &t) { t.stages[0].int_ops_per_thread += 64; });
    expect_not_cheaper("doubles", [](FeatureTable &t) { t.stages[0].fp64_ops_per_thread += 64; });
    expect_not_cheaper("specials",
                       [](FeatureTable &t) { t.stages[0].special_ops_per_thread += 8; });
    expect_not_cheaper("local memory",
                       [](FeatureTable &t) { t.stages[0].local_accesses_per_thread += 8; });
    expect_not_cheaper("barriers", [](FeatureTable &t) { t.kernel.barriers_per_block += 1; });
}

TEST(Roofline, IsNotCheaperForMoreBlocksOfTheSameWork) {
    expect_not_cheaper("blocks", [](FeatureTable &t) {
        t.kernel.num_blocks = std::ceil(1.7 * t.kernel.num_blocks);
    });
}

// Where trips are counted, loads wait for L2 as often as one asks for something that the block has
// not had, however much of all L1 has: the other warps want that, too.
TEST(Roofline, WaitsForL2WhereverATripBringsSomethingNew) {
    FeatureTable table = samples()[0];
    table.stages[0].num_global_mem_loads_per_block = 100 * 32;
    table.kernel.dram_bytes_read = 0;
    std::vector<Roofline::LoadTrips> trips(table.stages.size());
    const auto latency = [&](double new_sectors) {
        trips[0] = {100, std::min(100.0, new_sectors)};
        table.kernel.block_global_read_sectors = new_sectors;
        return Roofline(example::gpu()).explain(table, trips).latency;
    };
    EXPECT_GT(latency(100), 1.5 * latency(10));
    EXPECT_DOUBLE_EQ(latency(200), latency(100));
    table.kernel.dram_bytes_read = 1e9;
    EXPECT_GT(latency(800), 1.5 * latency(1));
}

TEST(Roofline, ChargesForSpills) {
    for (FeatureTable table : samples()) {
        table.kernel.spills_per_thread = 0;
        double before = cost(table);
        for (int spilled : {1, 8, 64, 512}) {
            table.kernel.spills_per_thread = spilled;
            EXPECT_GT(cost(table), before) << spilled;
            before = cost(table);
        }
    }
}

// A block of 256 threads that spills 100 values, eight blocks an SM: 800 KiB, which no L1 keeps.
TEST(Roofline, SendsSpillsThatL1CannotKeepToL2) {
    FeatureTable table = samples()[0];
    const auto l2 = [&](double spilled) {
        table.kernel.spills_per_thread = spilled;
        return Roofline(example::gpu()).explain(table).l2;
    };
    const double without = l2(0);
    EXPECT_EQ(l2(1), without);
    EXPECT_GT(l2(100), without);
    // Twice as many accesses, of which more miss.
    EXPECT_GT(l2(200) - without, 2 * (l2(100) - without));
}

// Shared memory takes of L1 only what is of one memory with it.
TEST(Roofline, LeavesAnL1BesideSharedMemoryToData) {
    FeatureTable table = samples()[0];
    table.kernel.spills_per_thread = 20;
    const auto l2 = [&](const char *device, double shared_bytes) {
        table.kernel.shared_bytes_per_block = shared_bytes;
        return Roofline(find_preset(device).value()).explain(table).l2;
    };
    EXPECT_GT(l2("A100", 20'000), l2("A100", 0));
    for (const char *apart : {"MI210", "RX7900XTX", "M1", "opencl-generic"}) {
        EXPECT_EQ(l2(apart, 4'000), l2(apart, 0)) << apart;
    }
}

// The values of a loop are the same in every pass, and take no more room for it.
TEST(Roofline, KeepsWhatALoopSpillsInL1) {
    FeatureTable table = samples()[0];
    table.stages[0].serial_iterations = 100;
    table.kernel.spills_per_thread = 100;
    FeatureTable without = table;
    without.kernel.spills_per_thread = 0;
    const Roofline roofline(example::gpu());
    EXPECT_EQ(roofline.explain(table).l2, roofline.explain(without).l2);
    EXPECT_GT(roofline.explain(table).load_store, roofline.explain(without).load_store);
}

TEST(InstructionCount, OfSpillsIsThatOfTheCodeAroundThem) {
    FeatureTable table;
    table.stages.resize(2);
    table.stages[0].fp32_ops_per_thread = 100;  // written once
    table.stages[1].fp32_ops_per_thread = 80 - kLoopInstructions * 10;
    table.stages[1].serial_iterations = 10;  // 80 instructions, 8 a pass
    EXPECT_DOUBLE_EQ(executions(table), 180.0 / 108);
    table.kernel.spills_per_thread = 54;
    count_spills_as_executed(table);
    EXPECT_DOUBLE_EQ(table.kernel.spills_per_thread, 90);
    EXPECT_EQ(executions({}), 1);
}

TEST(Roofline, IsNotDearerOnABetterDevice) {
    const std::pair<const char *, std::function<void(GpuModel &)>> better[] = {
        {"DRAM", [](GpuModel &g) { g.dram_bandwidth_gb_per_s *= 2; }},
        {"L2", [](GpuModel &g) { g.l2_bandwidth_gb_per_s *= 2; }},
        {"clock", [](GpuModel &g) { g.clock_ghz *= 1.5; }},
        {"fp32", [](GpuModel &g) { g.fp32_lanes_per_sm *= 2; }},
        {"schedulers", [](GpuModel &g) { g.warp_schedulers_per_sm *= 2; }},
        {"SMs", [](GpuModel &g) { g.sm_count *= 2; }},
        {"launch", [](GpuModel &g) { g.kernel_launch_us /= 2; }},
        {"DRAM latency", [](GpuModel &g) { g.dram_latency_cycles = g.l2_latency_cycles; }},
    };
    for (const FeatureTable &table : samples()) {
        for (const auto &[what, change] : better) {
            GpuModel gpu = example::gpu();
            change(gpu);
            EXPECT_LE(cost(table, gpu), cost(table) * (1 + 1e-12)) << what;
        }
    }
}

// The busiest SM decides: the 109th block on 108 SMs costs as much as the 216th.
TEST(Roofline, HandsOutWholeBlocks) {
    const FeatureTable sample = samples()[1];
    const auto busy = [&](double blocks) {
        FeatureTable table = sample;
        table.kernel.num_blocks = blocks;
        return Roofline(example::gpu()).explain(table).arithmetic;
    };
    const double sms = static_cast<double>(example::gpu().sm_count);
    EXPECT_DOUBLE_EQ(busy(1), busy(sms));
    EXPECT_DOUBLE_EQ(busy(sms + 1), busy(2 * sms));
    EXPECT_DOUBLE_EQ(busy(sms + 1), 2 * busy(sms));
}

TEST(Roofline, HidesLatencyBehindResidentBlocksUpToAWave) {
    const FeatureTable sample = samples()[1];
    const int64_t resident =
        occupancy(example::gpu(), static_cast<int64_t>(sample.kernel.threads_per_block),
                  static_cast<int64_t>(sample.kernel.registers_per_thread),
                  static_cast<int64_t>(sample.kernel.shared_bytes_per_block))
            .blocks_per_sm;
    ASSERT_GT(resident, 1);
    const auto waiting = [&](int64_t blocks) {
        FeatureTable table = sample;
        table.kernel.num_blocks = static_cast<double>(blocks);
        return Roofline(example::gpu()).explain(table).latency;
    };
    const int64_t wave = resident * example::gpu().sm_count;
    EXPECT_DOUBLE_EQ(waiting(1), waiting(wave));
    EXPECT_GT(waiting(wave + 1), waiting(wave));
    EXPECT_DOUBLE_EQ(waiting(2 * wave), 2 * waiting(wave));
}

TEST(Roofline, ExplainsItselfInTermsThatAddUp) {
    for (const FeatureTable &table : samples()) {
        const Roofline::Terms t = Roofline(example::gpu()).explain(table);
        const double sm = std::max({t.arithmetic, t.load_store, t.barriers, t.blocks});
        const double parts[] = {sm, t.l2, t.dram, t.latency};
        double sum = 0;
        for (double part : parts) {
            EXPECT_GE(part, 0);
            sum += part;
        }
        const double most = *std::max_element(std::begin(parts), std::end(parts));
        EXPECT_NEAR(t.total, t.launch + most + Roofline::kOverlap * (sum - most), 1e-9 * t.total);
        EXPECT_GT(t.warp_occupancy, 0);
        EXPECT_LE(t.warp_occupancy, 1);
        double costs[1];
        Roofline(example::gpu()).estimate({&table, 1}, costs);
        EXPECT_EQ(costs[0], t.total);
    }
}

TEST(Roofline, NamesWhatBindsAKernel) {
    Roofline::Terms terms;
    terms.launch = 5;
    EXPECT_EQ(terms.bound_by(), "launch");
    terms.l2 = 6;
    EXPECT_EQ(terms.bound_by(), "l2");
    terms.latency = 7;
    EXPECT_EQ(terms.bound_by(), "latency");
    terms.dram = 8;
    EXPECT_EQ(terms.bound_by(), "dram");
    terms.blocks = 9;
    EXPECT_EQ(terms.bound_by(), "blocks");
    terms.barriers = 10;
    EXPECT_EQ(terms.bound_by(), "barriers");
    // A large copy can't be bound by anything else; a scalar sum waits.
    EXPECT_EQ(Roofline(example::gpu()).explain(samples()[0]).bound_by(), "dram");
    EXPECT_EQ(Roofline(example::gpu()).explain(samples()[5]).bound_by(), "latency");
}

TEST(Roofline, TakesTimeFromTheData) {
    // 2 x 64 MiB at 1555 GB/s are 86 us; the copy can't be faster, and shouldn't be far off.
    const double floor_ns = 2.0 * 4096 * 4096 * 4 / example::gpu().dram_bandwidth_gb_per_s;
    EXPECT_GT(cost(samples()[0]), floor_ns);
    EXPECT_LT(cost(samples()[0]), 2 * floor_ns);
}

TEST(Roofline, PricesAHostStageByItsSizeAndTheCopies) {
    const auto host = [](int64_t width) {
        const Dag dag = example::copy(width, 1024);
        return Roofline(example::gpu()).explain(example::table_of(dag, "kernel out host\n"));
    };
    EXPECT_GT(host(2048).total, host(1024).total);
    EXPECT_GT(host(1024).total, cost(samples()[0]));  // 16 times smaller, yet dearer
    const Roofline::Terms terms = host(1024);
    EXPECT_DOUBLE_EQ(terms.total, terms.launch + terms.arithmetic);
}

TEST(Roofline, GivesOneCostPerTableInOrder) {
    const std::vector<FeatureTable> tables = samples();
    std::vector<double> costs(tables.size());
    Roofline(example::gpu()).estimate(tables, costs);
    for (size_t i = 0; i < tables.size(); ++i) EXPECT_EQ(costs[i], cost(tables[i]));
    Roofline(example::gpu()).estimate({}, {});
}

TEST(Roofline, IsFiniteWhateverTheTableAndPositiveWithBlocks) {
    Random random(1);
    const double values[] = {0, 1e-3, 1, 7, 1e3, 1e6, 1e9, 1e12};
    for (const std::string &device : preset_names()) {
        const GpuModel gpu = find_preset(device).value();
        FeatureTable empty;
        empty.stages.resize(1);
        empty.kernel.num_blocks = 1;
        EXPECT_GT(cost(empty, gpu), 0) << device;
        EXPECT_TRUE(std::isfinite(cost(empty, gpu))) << device;
        for (int i = 0; i < 2000; ++i) {
            const auto any = [&] { return values[random.below(std::size(values))]; };
            FeatureTable table;
#define X(name, unit, group, meaning) table.kernel.name = any();
            AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
            table.kernel.on_host = i % 50 == 0;
            table.stages.resize(1 + random.below(3));
            for (StageFeatures &stage : table.stages) {
#define X(name, unit, group, meaning) stage.name = any();
                AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
            }
            const double ns = cost(table, gpu);
            const bool is_launched = table.kernel.num_blocks > 0 || table.kernel.on_host > 0;
            ASSERT_TRUE(std::isfinite(ns)) << device << " " << i;
            ASSERT_EQ(ns > 0, is_launched) << device << " " << i;
        }
    }
}

// Blocks that do nothing, of so many threads.
FeatureTable idle_blocks(double blocks, double threads) {
    FeatureTable table;
    table.kernel.num_blocks = blocks;
    table.kernel.threads_per_block = threads;
    table.kernel.num_warps_per_block = threads / 32;
    table.kernel.registers_per_thread = 32;
    table.stages.resize(1);
    return table;
}

Roofline::Terms on_h200(const FeatureTable &table) {
    return Roofline(find_preset("H200").value()).explain(table);
}

// 61 us were measured, of 32 threads and of 256.
TEST(Roofline, BeginsBlocksAtTheRateOfTheDevice) {
    for (const double threads : {32, 256}) {
        const Roofline::Terms terms = on_h200(idle_blocks(100'000, threads));
        EXPECT_NEAR(terms.blocks, 61e3, 1e3);
        EXPECT_EQ(terms.bound_by(), "blocks");
    }
    EXPECT_NE(on_h200(idle_blocks(1000, 32)).bound_by(), "blocks") << "the launch takes longer";
}

// Four blocks of eight warps on each of 132 SMs: two cycles a warp, at 1.98 GHz.
TEST(Roofline, PassesBarriersWarpByWarp) {
    FeatureTable table = idle_blocks(4 * 132, 256);
    table.kernel.barriers_per_block = 1000;
    const Roofline::Terms terms = on_h200(table);
    EXPECT_DOUBLE_EQ(terms.barriers, 4 * 8 * 2 * 1000 / 1.98);
    EXPECT_EQ(terms.bound_by(), "barriers");
    // A block that has its SM for itself waits besides.
    table.kernel.num_blocks = 132;
    EXPECT_EQ(on_h200(table).bound_by(), "latency");
}

// Rows of 32 words in one bank, and nothing else that L1 does.
TEST(Roofline, CountsPassesThroughTheBanksOfL1) {
    FeatureTable table = idle_blocks(108, 32);
    StageFeatures &stage = table.stages[0];
    stage.num_active_warps_per_block = 1;
    stage.global_loads_per_thread = 10;
    stage.num_global_mem_loads_per_block = 10 * 32;
    const auto cycles = [&] {
        return Roofline(example::gpu()).explain(table).load_store * example::gpu().clock_ghz;
    };
    EXPECT_NEAR(cycles(), 10 * 32 / 4, 1e-9) << "sectors, four of a line";
    stage.global_load_wavefronts_per_block = 10 * 32;
    EXPECT_NEAR(cycles(), 10 * 32, 1e-9);
}

// 4,096 blocks of 256 threads, each of which adds once to one of so many words side by side.
FeatureTable million_atomics(double words) {
    FeatureTable table = idle_blocks(4096, 256);
    StageFeatures &stage = table.stages[0];
    const double named = std::min(32.0, words);  // by a warp
    const double sectors = std::max(1.0, named / 8);
    stage.num_threads_per_block = 256;
    stage.num_active_warps_per_block = 8;
    stage.algorithm.bytes_per_point = 4;
    stage.atomics_per_thread = 1;
    stage.num_global_atomics_per_block = 8 * sectors;
    stage.global_mem_store_efficiency = named / (8 * sectors);
    stage.atomics_per_element = 4096 * 256 / words;
    return table;
}

// What an H200 took (apps/measured), less the 4.8 us of a launch in which nobody waits.
TEST(Roofline, MakesAtomicsWaitInTheSlicesOfL2) {
    const auto us = [](double words, bool floats) {
        FeatureTable table = million_atomics(words);
        (floats ? table.stages[0].fp32_ops_per_thread : table.stages[0].int_ops_per_thread) = 1;
        return on_h200(table).l2 / 1000;
    };
    EXPECT_NEAR(us(1, true), 1843 - 4.8, 100) << "one element";
    EXPECT_NEAR(us(32, true), 81.9 - 4.8, 10) << "one line";
    EXPECT_NEAR(us(32, false), 80.8 - 4.8, 10);
    EXPECT_NEAR(us(1024, false), 13.8 - 4.8, 3) << "lines are not spread evenly over slices";
    EXPECT_LT(us(65536, false), 3);
}

TEST(Roofline, AddsUpIntegersOfAWarpThatGoToOneElement) {
    FeatureTable table = million_atomics(1);
    table.stages[0].int_ops_per_thread = 1;
    const double whole_warps = on_h200(table).l2;
    // Warps of which half go to another element each.
    table.stages[0].global_mem_store_efficiency *= 2;
    table.stages[0].atomics_per_element /= 2;
    EXPECT_GT(on_h200(table).l2, 10 * whole_warps);
}

// Integers may be added up at places that are computed of floats.
TEST(Roofline, TakesAtomicsForThoseOfWhatIsAddedUp) {
    FeatureTable table = million_atomics(32);
    StageFeatures &stage = table.stages[0];
    stage.atomics_per_thread = 4;
    stage.int_ops_per_thread = 1;
    const double integers = on_h200(table).l2;
    stage.fp32_ops_per_thread = 10;
    const double floats = on_h200(table).l2;
    EXPECT_GT(floats, 1.5 * integers) << "a guess";
    stage.added = Added::integers;
    EXPECT_DOUBLE_EQ(on_h200(table).l2, integers);
    stage.added = Added::floats;
    EXPECT_DOUBLE_EQ(on_h200(table).l2, floats);
}

// Where data says to which of few elements, a sector is all that is known of a request.
TEST(Roofline, MakesAtomicsOnFewerElementsOfASectorWaitLonger) {
    double before = 0;
    for (const double words : {8., 4., 2.}) {
        FeatureTable table = million_atomics(words);
        table.stages[0].int_ops_per_thread = 1;
        const double known = on_h200(table).l2;
        table.stages[0].global_mem_store_efficiency = 1;
        EXPECT_DOUBLE_EQ(on_h200(table).l2, known) << words;
        EXPECT_GT(known, before) << words;
        before = known;
    }
}

// As many lanes at as many elements, which take twice the bytes.
TEST(Roofline, IsNotCheaperForAtomicsOfTwiceTheBytes) {
    for (const double words : {2., 8., 32., 1024., 65536.}) {
        FeatureTable table = million_atomics(words);
        StageFeatures &stage = table.stages[0];
        stage.int_ops_per_thread = 1;
        const double of_32_bits = on_h200(table).l2;
        stage.algorithm.bytes_per_point = 8;
        const double used_sectors =
            stage.num_global_atomics_per_block * stage.global_mem_store_efficiency * 2;
        stage.num_global_atomics_per_block =
            std::max(stage.num_global_atomics_per_block, used_sectors);
        stage.global_mem_store_efficiency = used_sectors / stage.num_global_atomics_per_block;
        EXPECT_GE(on_h200(table).l2, of_32_bits) << words;
    }
}

TEST(Roofline, IsNotCheaperForMoreAtomics) {
    expect_not_cheaper("atomics", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) {
            const double more = s.num_global_atomics_per_block + 100;
            s.num_global_atomics_per_block += more;
            s.num_global_mem_loads_per_block += more;
            s.num_global_mem_stores_per_block += more;
        }
    });
    expect_not_cheaper("atomics on one element", [](FeatureTable &t) {
        for (StageFeatures &s : t.stages) s.atomics_per_element = 2 * s.atomics_per_element + 1000;
    });
}

}  // namespace
}  // namespace autoschedule_gpu
