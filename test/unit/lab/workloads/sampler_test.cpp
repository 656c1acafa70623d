#include "lab/workloads/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/support/file.h"
#include "example_workloads.h"
#include "scheduler/model/weights_file.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

const Workload kWorkload = example_workload("random:17");

std::string value_of(const ScheduleRequest &draw, const std::string &name) {
    for (const auto &[key, value] : draw.scheduler_params) {
        if (key == name) return value;
    }
    return "";
}

TEST(DrawSchedule, DependsOnSeedPipelineSizeAndNumber) {
    for (const SamplerKind kind : {SamplerKind::mixed, SamplerKind::paper}) {
        const Sampler sampler{.kind = kind};
        const auto schedule = [&](uint64_t seed, const Workload &workload, int number) {
            return draw_schedule(sampler, seed, workload, number).schedule;
        };
        const std::string first = schedule(1, kWorkload, 7);
        EXPECT_EQ(schedule(1, kWorkload, 7), first);
        EXPECT_NE(schedule(2, kWorkload, 7), first);
        EXPECT_NE(schedule(1, kWorkload, 8), first);
        EXPECT_NE(schedule(1, example_workload("random:18"), 7), first);
        EXPECT_NE(schedule(1, example_workload("random:17", "large"), 7), first);
    }
}

TEST(DrawSchedule, IsCalledByItsSizeAndAllItsParameters) {
    const ScheduleRequest draw = draw_schedule(Sampler{}, 1, kWorkload, 5);
    std::string expected = "size=small";
    for (const auto &[name, value] : draw.scheduler_params) expected += " " + name + "=" + value;
    EXPECT_EQ(draw.schedule, expected);
    EXPECT_EQ(size_of_schedule(draw.schedule), "small");
    EXPECT_EQ(size_of_schedule("size=full"), "full");
    EXPECT_EQ(size_of_schedule("seed=5"), "");
}

TEST(Sampler, ASampleSaysItsSizeWhateverItsScheduleIsCalled) {
    EXPECT_EQ(size_of_schedule(schedule_at_size("small", "default")), "small");
    EXPECT_EQ(size_of_schedule(schedule_at_size("small", "size=small seed=5")), "small");
    EXPECT_EQ(size_of_schedule(schedule_at_size("width=640 height=480", "default")),
              "width=640,height=480");
}

TEST(DrawSchedule, MixedBeginsWithWhatUsersGetAndThePlainOne) {
    const auto strategy = [](int number) {
        return value_of(draw_schedule(Sampler{}, 1, kWorkload, number), "strategy");
    };
    EXPECT_EQ(strategy(0), "beam");
    EXPECT_EQ(strategy(1), "greedy_grouping");
    EXPECT_EQ(strategy(2), "plain");
}

TEST(DrawSchedule, MixedKeepsFewDecisionsAsOftenAsMany) {
    std::vector<int> kept;
    for (int number = 3; number < 1003; ++number) {
        const ScheduleRequest draw = draw_schedule(Sampler{}, 1, kWorkload, number);
        kept.push_back(std::stoi(value_of(draw, "random_dropout")));
    }
    EXPECT_GE(*std::min_element(kept.begin(), kept.end()), 1);
    EXPECT_LE(*std::max_element(kept.begin(), kept.end()), 95);
    // Half of the logarithms of 1 to 95 are below that of 9.7.
    const auto few = std::count_if(kept.begin(), kept.end(), [](int k) { return k < 10; });
    EXPECT_GT(few, 400);
    EXPECT_LT(few, 600);
}

std::set<std::string> values_of(const Sampler &sampler, const std::string &name) {
    std::set<std::string> values;
    for (int number = 0; number < 200; ++number) {
        values.insert(value_of(draw_schedule(sampler, 1, kWorkload, number), name));
    }
    return values;
}

TEST(DrawSchedule, MixedDropsHeuristicRulesNowAndThen) {
    const std::set<std::string> dropped = values_of({}, "disable_rules");
    EXPECT_TRUE(dropped.contains(""));
    EXPECT_TRUE(dropped.contains("idle_sms"));
    EXPECT_TRUE(dropped.contains("idle_sms,low_lane_use,excess_recompute"));
}

TEST(DrawSchedule, WithWeightsSearchesUnderTheNetworkToo) {
    using Names = std::set<std::string>;
    const SamplerWeights weights{.path = "there/my.weights", .name = "0123456789abcdef"};
    EXPECT_EQ(values_of({}, "model"), (Names{"", "analytical", "roofline"}));
    EXPECT_EQ(values_of({.weights = weights}, "model"),
              (Names{"", "analytical", "network", "roofline"}));
    EXPECT_EQ(values_of({.kind = SamplerKind::paper, .weights = weights}, "model"),
              (Names{"network"}));
    const ScheduleRequest draw = draw_schedule({.weights = weights}, 1, kWorkload, 3);
    EXPECT_EQ(value_of(draw, "weights_path"), "there/my.weights");
    EXPECT_EQ(draw.schedule, "size=small strategy=beam model=network weights=0123456789abcdef");
}

Weights untrained(const std::string &device) {
    Weights weights{.origin = {}, .card = std::nullopt, .network = Network::initial(1)};
    weights.origin.device = device;
    return weights;
}

TEST(SamplerWeights, AreNamedByTheirContentAndRefusedWhereTheyAreNone) {
    const Scratch scratch;
    ASSERT_TRUE(write_weights(scratch.path("a"), untrained("device")));
    ASSERT_TRUE(write_weights(scratch.path("b"), untrained("device")));
    const std::string name = sampler_weights(scratch.path("a")).value().name;
    EXPECT_EQ(name.size(), 16u);
    EXPECT_EQ(sampler_weights(scratch.path("b")).value().name, name);
    ASSERT_TRUE(write_weights(scratch.path("b"), untrained("another")));
    EXPECT_NE(sampler_weights(scratch.path("b")).value().name, name);
    ASSERT_TRUE(write_file(scratch.path("b"), "no weights"));
    const Result<SamplerWeights> refused = sampler_weights(scratch.path("b"));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.starts_with(scratch.path("b") + ": "));
}

TEST(DrawSchedule, PaperIsOneBeamSearchInEighty) {
    int beams = 0;
    for (int number = 0; number < 160; ++number) {
        const ScheduleRequest draw =
            draw_schedule(Sampler{.kind = SamplerKind::paper}, 1, kWorkload, number);
        const bool beam = value_of(draw, "beam_size") == "32";
        beams += beam;
        EXPECT_EQ(value_of(draw, "num_passes"), beam ? "5" : "1");
        EXPECT_EQ(value_of(draw, "strategy"), "sampled");
        EXPECT_EQ(value_of(draw, "random_dropout"), "");
    }
    EXPECT_EQ(beams, 2);
}

TEST(DrawSchedule, KeepsEverFewerOptionsTheOftenerItDrawsAgain) {
    int before = 100;
    for (int redraws = 1; redraws < kMostRedraws; ++redraws) {
        const ScheduleRequest draw =
            draw_schedule(Sampler{.kind = SamplerKind::paper}, 1, kWorkload, 7, redraws);
        const int kept = std::stoi(value_of(draw, "random_dropout"));
        EXPECT_LT(kept, before);
        EXPECT_GT(kept, 0);
        before = kept;
    }
    EXPECT_NE(draw_schedule(Sampler{}, 1, kWorkload, 0, 1).schedule,
              draw_schedule(Sampler{}, 1, kWorkload, 0).schedule);
}

TEST(ParseSampler, KnowsAllAndNamesThem) {
    EXPECT_EQ(parse_sampler("mixed").value(), SamplerKind::mixed);
    EXPECT_EQ(parse_sampler("paper").value(), SamplerKind::paper);
    EXPECT_EQ(parse_sampler("dice").error().message, "expected mixed or paper, found 'dice'");
}

}  // namespace
}  // namespace autoschedule_gpu
