// Random decisions about random pipelines: what must hold of every state on the way, and of the
// schedule at the end.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "core/dag/text.h"
#include "property/random_dag.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/roofline.h"
#include "scheduler/nest/check.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/nest/text.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "scheduler/space/space.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

constexpr uint64_t kSeeds = 400;
constexpr int kWalks = 4;

class Walk {
public:
    Walk(uint64_t seed, Dag dag)
        : seed_(seed),
          random_(Random(seed).fork(1)),
          dag_(std::move(dag)),
          gpu_(find_preset(preset_names()[seed % preset_names().size()]).value()),
          model_(gpu_),
          space_(dag_, gpu_, rules(), Freedom::full) {}

    int loops() const { return loops_; }
    int in_loops() const { return in_loops_; }
    int slides() const { return slides_; }

    void run() {
        SCOPED_TRACE("seed " + std::to_string(seed_) + "\n" + to_text(dag_));
        for (int walk = 0; walk < kWalks && !testing::Test::HasFailure(); ++walk) {
            State state = space_.initial();
            for (const Step &step : space_.steps()) {
                state = decide(state, step);
                expect_sound(state, Completeness::partial);
                if (testing::Test::HasFailure()) return;
            }
            expect_sound(state, Completeness::complete);
            expect_schedule(state);
            expect_features(state);
            count_loops(state);
        }
    }

private:
    // Rules that may be switched off are, now and then.
    RuleBook rules() {
        RuleBook set;
        for (size_t i = 0; i < set.size(); ++i) {
            if (random_.below(4) == 0) set.switch_off(RuleId(i));
        }
        return set;
    }

    double cost(const Kernel &kernel) const {
        const FeatureTable table = FeatureExtractor(dag_, gpu_).extract(kernel);
        double result[1];
        model_.estimate({&table, 1}, result);
        return result[0];
    }

    // Few decisions have to do with loops, so that these are mostly tried first.
    std::optional<size_t> looped(const std::vector<Decision> &moves) {
        std::vector<size_t> found;
        for (size_t i = 0; i < moves.size(); ++i) {
            if (moves[i].loop.valid()) found.push_back(i);
        }
        if (found.empty() || random_.below(4) == 0) return std::nullopt;
        return found[random_.below(found.size())];
    }

    State decide(const State &state, const Step &step) {
        RuleCounts rejected{};
        const Retile retile = random_.below(2) == 0 ? Retile::yes : Retile::no;
        const SearchSpace space = random_.below(4) == 0 ? space_.with_walks(state) : space_;
        std::vector<Decision> moves = space.decisions(state, step, retile, rejected);
        while (!moves.empty()) {
            const size_t chosen = looped(moves).value_or(random_.below(moves.size()));
            const Decision decision = moves[chosen];
            if (is_nothing(decision)) return state;
            auto applied = space.apply(state, decision);
            if (std::holds_alternative<Successor>(applied)) {
                const Successor &successor = std::get<Successor>(applied);
                std::vector<double> costs;
                for (const KernelChange &change : successor.changes) {
                    costs.push_back(cost(*change.kernel));
                }
                return materialise(dag_, state, successor, costs);
            }
            moves.erase(moves.begin() + static_cast<long>(chosen));
        }
        ADD_FAILURE() << "no legal move";
        return state;
    }

    void expect_sound(const State &state, Completeness completeness) {
        const std::string text = to_text(dag_, state.nest);
        EXPECT_EQ(check(dag_, state.nest, completeness), std::vector<std::string>{}) << text;
        EXPECT_EQ(state.id, state.nest.hash());
        const auto known = texts_.emplace(state.id, text).first;
        EXPECT_EQ(known->second, text) << "two nests with one hash";
        const auto hash = hashes_.emplace(text, state.id).first;
        EXPECT_EQ(hash->second, state.id) << "two hashes of one nest:\n" << text;
        const Result<Nest> read = parse_nest(dag_, text);
        ASSERT_TRUE(read.ok()) << read.error().message << "\n" << text;
        EXPECT_EQ(to_text(dag_, *read), text);
        EXPECT_EQ(read->hash(), state.id) << text;
        double sum = 0;
        for (const KernelPtr &kernel : state.nest.kernels) sum += cost(*kernel);
        EXPECT_NEAR(state.cost, sum, 1e-9 * sum) << text;
    }

    void expect_schedule(const State &state) {
        const std::string text = to_text(dag_, state.nest);
        const Schedule schedule = directives(dag_, state.nest);
        EXPECT_EQ(directives(dag_, parse_nest(dag_, text).value()), schedule) << text;
        const Status against = check_against(schedule, dag_);
        EXPECT_TRUE(against.ok()) << (against.ok() ? "" : against.error().message) << "\n" << text;
        const Result<Schedule> replayed = from_json(to_json({schedule, dag_.hash(), ""}));
        ASSERT_TRUE(replayed.ok());
        EXPECT_EQ(*replayed, schedule);
    }

    void expect_features(const State &state) {
        for (const KernelPtr &kernel : state.nest.kernels) {
            const FeatureTable table = FeatureExtractor(dag_, gpu_).extract(*kernel);
            for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
                expect_amount(kernel_feature(table.kernel, i), kernel_feature_list()[i].name);
            }
            for (const StageFeatures &row : table.stages) {
                for (size_t i = 0; i < stage_feature_list().size(); ++i) {
                    expect_amount(stage_feature(row, i), stage_feature_list()[i].name);
                }
                EXPECT_LE(row.warp_lane_utilization, 1);
                EXPECT_LE(row.global_mem_load_efficiency, 1 + 1e-9);
                EXPECT_LE(row.global_mem_store_efficiency, 1 + 1e-9);
                EXPECT_LE(row.num_active_warps_per_block, table.kernel.num_warps_per_block);
                EXPECT_GE(row.points_computed_per_thread, row.unrolled_points);
            }
            EXPECT_LE(table.kernel.dram_bytes_read, table.kernel.global_bytes_read * (1 + 1e-9));
            EXPECT_LE(table.kernel.shared_bytes_per_block,
                      static_cast<double>(gpu_.shared_bytes_per_block));
        }
    }

    void count_loops(const State &state) {
        for (const KernelPtr &kernel : state.nest.kernels) {
            if (kernel->on_host) continue;
            slides_ += walked_loop(kernel->tiling) && keeps_something(dag_, *kernel);
            for (const Band *threads : thread_bands(*kernel)) {
                loops_ += has_own_loop(*threads);
                in_loops_ += threads->loop.valid() && !has_own_loop(*threads);
            }
        }
    }

    static void expect_amount(double value, std::string_view name) {
        EXPECT_TRUE(std::isfinite(value) && value >= 0) << name << " is " << value;
    }

    uint64_t seed_;
    int loops_ = 0, in_loops_ = 0, slides_ = 0;
    Random random_;
    Dag dag_;
    GpuModel gpu_;
    Roofline model_;
    SearchSpace space_;
    std::map<uint64_t, std::string> texts_;
    std::map<std::string, uint64_t> hashes_;
};

TEST(RandomDecisions, KeepEveryPromiseOfStatesNestsFeaturesAndSchedules) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        Walk(seed, example::random_dag(seed, 9)).run();
        if (HasFailure()) return;  // one pipeline is enough to read
    }
}

// Few random pipelines have a reduction for which there are loops.
TEST(RandomDecisions, KeepEveryPromiseOfLoopsBetweenBlocksAndThreads) {
    int loops = 0, in_loops = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const int64_t width = 100 + static_cast<int64_t>(seed);
        Walk walk(seed, seed % 2 == 0 ? example::shifted_patches(width, 70)
                                      : example::patches_of_all_shifts(width, 70));
        walk.run();
        if (HasFailure()) return;
        loops += walk.loops();
        in_loops += walk.in_loops();
    }
    EXPECT_GT(loops, 100);
    EXPECT_GT(in_loops, 100);
}

// Few random pipelines have a loop along which blocks may walk.
TEST(RandomDecisions, KeepEveryPromiseOfBlocksThatWalk) {
    int slides = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const int64_t extent = 100 + static_cast<int64_t>(seed);
        Walk walk(seed, seed % 2 == 0 ? example::filters_along_columns(2 * extent, 3 * extent)
                                      : example::crosses_in_a_cube(3, extent));
        walk.run();
        if (HasFailure()) return;
        slides += walk.slides();
    }
    EXPECT_GT(slides, 20);
}

}  // namespace
}  // namespace autoschedule_gpu
