#include "learn/random_pipelines/random_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/support/hash.h"
#include "learn/random_pipelines/kinds.h"
#include "pipelines/odd_pipelines.h"

namespace autoschedule_gpu::testing {
namespace {

constexpr uint64_t kSeeds = 200;

size_t count_funcs(const PipelineCase &c) {
    std::vector<Halide::Internal::Function> outputs;
    for (const OutputFunc &output : c.outputs) outputs.push_back(output.func.function());
    return Halide::Internal::build_environment(outputs).size();
}

TEST(RandomPipeline, IsTheSameForTheSameSeedThoughHalideNamesItsFuncsDifferently) {
    std::vector<uint64_t> first;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        first.push_back(make_random_pipeline(seed).checksum);
    }
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        EXPECT_EQ(make_random_pipeline(seed).checksum, first[seed]) << "seed " << seed;
    }
}

// Samples, records and reports of faults name pipelines by seed.
TEST(RandomPipeline, StaysWhatItWasWhenKindsAreAdded) {
    Hasher hash;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        hash.add(make_random_pipeline(seed).checksum)
            .add(make_random_pipeline(seed, true).checksum);
        hash.add(make_timed_pipeline(seed, Work::small).checksum);
    }
    EXPECT_EQ(hash.value(), 4984575656155732886u);
}

TEST(RandomPipeline, DiffersFromSeedToSeed) {
    std::set<uint64_t> checksums;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        checksums.insert(make_random_pipeline(seed).checksum);
    }
    EXPECT_EQ(checksums.size(), kSeeds);
}

TEST(RandomPipeline, DrawsEveryKindSeveralTimesIn200Seeds) {
    std::map<std::string, int> seeds_with;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        for (const auto &[kind, times] : make_random_pipeline(seed).features) ++seeds_with[kind];
    }
    for (const Kind &kind : kinds_of(Family::usual))
        EXPECT_GE(seeds_with[kind.name], 3) << kind.name;
    for (const char *trait : {"several_outputs", "output_feeds_output", "bound_output",
                              "tiny_output", "scalar_output"}) {
        EXPECT_GE(seeds_with[trait], 1) << trait;
    }
}

TEST(RandomPipeline, UsesAllElementTypes) {
    std::set<std::string> types;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const RandomPipeline c = make_random_pipeline(seed);
        for (const OutputFunc &output : c.outputs) {
            for (Halide::Type type : output.func.types())
                types.insert(Halide::type_to_c_type(type, false));
        }
    }
    EXPECT_EQ(types, (std::set<std::string>{"uint8_t", "uint16_t", "uint32_t", "int16_t", "int32_t",
                                            "float"}));
}

TEST(RandomPipeline, UsesWideTypesOnlyWhenAsked) {
    int with_doubles = 0;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        with_doubles += make_random_pipeline(seed, true).uses_doubles;
        EXPECT_FALSE(make_random_pipeline(seed).uses_doubles);
    }
    EXPECT_GT(with_doubles, 5);
}

TEST(RandomPipeline, HasOneToTwentyFuncsAndEstimatesOnEverything) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const RandomPipeline c = make_random_pipeline(seed);
        EXPECT_GE(count_funcs(c), 1u);
        EXPECT_LE(count_funcs(c), 24u) << "seed " << seed;
        for (const OutputFunc &output : c.outputs) {
            const auto &estimates = output.func.function().schedule().estimates();
            EXPECT_GE(estimates.size(), output.region.size()) << "seed " << seed;
        }
        for (const InputImage &input : c.inputs) {
            for (int d = 0; d < input.param.dimensions(); ++d) {
                EXPECT_TRUE(input.param.dim(d).extent_estimate().defined()) << "seed " << seed;
            }
        }
    }
}

RandomPipeline make_tricky(uint64_t seed) {
    return make_random_pipeline(seed, false, Family::tricky);
}

TEST(TrickyPipeline, IsTheSameForTheSameSeedAndAnotherForEachOther) {
    std::set<uint64_t> checksums;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) checksums.insert(make_tricky(seed).checksum);
    EXPECT_EQ(checksums.size(), kSeeds);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        EXPECT_EQ(checksums.count(make_tricky(seed).checksum), 1u) << "seed " << seed;
    }
}

TEST(TrickyPipeline, DrawsEveryKindAndEverySurroundingSeveralTimesIn200Seeds) {
    std::map<std::string, int> seeds_with;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const RandomPipeline c = make_tricky(seed);
        for (const auto &[kind, times] : c.features) ++seeds_with[kind];
        for (const Halide::Parameter &scalar : c.scalars) {
            ++seeds_with[scalar.estimate().defined() ? "estimated" : "not_estimated"];
        }
        for (const HandSchedule &by_hand : c.by_hand) {
            ++seeds_with[std::string(to_string(by_hand.form))];
        }
    }
    for (const Kind &kind : kinds_of(Family::tricky)) {
        EXPECT_GE(seeds_with[kind.name], 3) << kind.name;
    }
    for (const char *surrounding :
         {"estimated", "not_estimated", "any_layout", "interleaved", "at root",
          "in tiles on the GPU", "in parallel", "in vectors"}) {
        EXPECT_GE(seeds_with[surrounding], 3) << surrounding;
    }
}

// Looks for arithmetic of bits, which Halide's back ends disagree about.
class ArithmeticOfBits : public Halide::Internal::IRGraphVisitor {
public:
    bool found = false;

private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Add *op) override { look(op); }
    void visit(const Halide::Internal::Sub *op) override { look(op); }
    void visit(const Halide::Internal::Mul *op) override { look(op); }
    void visit(const Halide::Internal::Call *op) override {
        if (op->call_type != Halide::Internal::Call::Halide) return look(op);
        IRGraphVisitor::visit(op);
    }

    template <typename Operation>
    void look(const Operation *op) {
        found = found || op->type.is_bool();
        IRGraphVisitor::visit(op);
    }
};

TEST(FixedPoint, CombinesBitsByLogicOnly) {
    int of_bits = 0;
    for (uint64_t seed = 31900; seed < 32400; ++seed) {
        const RandomPipeline c = make_random_pipeline(seed, false, Family::all);
        std::vector<Halide::Internal::Function> outputs;
        for (const OutputFunc &output : c.outputs) outputs.push_back(output.func.function());
        for (const auto &[name, function] : Halide::Internal::build_environment(outputs)) {
            if (!name.starts_with("fixed_") || !function.output_types()[0].is_bool()) continue;
            ArithmeticOfBits arithmetic;
            function.accept(&arithmetic);
            EXPECT_FALSE(arithmetic.found) << "seed " << seed << ", " << function.values()[0];
            ++of_bits;
        }
    }
    EXPECT_GT(of_bits, 0);
}

TEST(TrickyPipeline, LeavesWhatIsScheduledByHandToWhoeverAppliesIt) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const RandomPipeline c = make_tricky(seed);
        for (const HandSchedule &by_hand : c.by_hand) {
            if (by_hand.form != HandSchedule::Form::tiles) continue;
            EXPECT_TRUE(fits_every_kernel(by_hand.func)) << "seed " << seed;
            EXPECT_FALSE(by_hand.func.function().definition().schedule().touched());
            apply(by_hand);
            EXPECT_TRUE(by_hand.func.function().definition().schedule().touched());
        }
    }
}

RandomPipeline make_clamped(uint64_t seed) {
    return make_random_pipeline(seed, false, Family::clamped);
}

TEST(ClampedPipeline, IsTheSameForTheSameSeedAndAnotherForEachOther) {
    std::set<uint64_t> checksums;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) checksums.insert(make_clamped(seed).checksum);
    EXPECT_EQ(checksums.size(), kSeeds);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        EXPECT_EQ(checksums.count(make_clamped(seed).checksum), 1u) << "seed " << seed;
    }
}

TEST(ClampedPipeline, DrawsEveryKindAndEveryWayToClampSeveralTimesIn200Seeds) {
    std::map<std::string, int> seeds_with;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const RandomPipeline c = make_clamped(seed);
        for (const auto &[kind, times] : c.features) ++seeds_with[kind];
        for (const Halide::Parameter &scalar : c.scalars) {
            ++seeds_with[scalar.estimate().defined() ? "estimated" : "not_estimated"];
        }
        for (const InputImage &input : c.inputs) {
            for (int d = 0; d < input.param.dimensions(); ++d) {
                if (input.param.parameter().min_constraint(d).defined()) {
                    ++seeds_with["begins_at_0"];
                }
            }
        }
        EXPECT_TRUE(c.by_hand.empty()) << "seed " << seed;
    }
    for (const Kind &kind : clamped_kinds()) EXPECT_GE(seeds_with[kind.name], 30) << kind.name;
    for (const char *way : {"clamped_inside", "clamped_beyond", "clamped_at_one_side", "estimated",
                            "not_estimated", "begins_at_0"}) {
        EXPECT_GE(seeds_with[way], 10) << way;
    }
}

RandomPipeline make_tables(uint64_t seed) {
    return make_random_pipeline(seed, false, Family::tables);
}

TEST(TablesPipeline, IsTheSameForTheSameSeedAndAnotherForEachOther) {
    std::set<uint64_t> checksums;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) checksums.insert(make_tables(seed).checksum);
    EXPECT_EQ(checksums.size(), kSeeds);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        EXPECT_EQ(checksums.count(make_tables(seed).checksum), 1u) << "seed " << seed;
    }
}

TEST(TablesPipeline, DrawsEveryKindAndEveryPlaceSeveralTimesIn200Seeds) {
    std::map<std::string, int> seeds_with;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        for (const auto &[kind, times] : make_tables(seed).features) ++seeds_with[kind];
    }
    for (const Kind &kind : table_kinds()) EXPECT_GE(seeds_with[kind.name], 20) << kind.name;
    for (const char *often :
         {"table_of_sums", "table_of_input", "table_of_rows", "table_of_squares", "at_c",
          "at_twice_c", "at_3_less_c", "channels_first", "channels_last", "number_beside"}) {
        EXPECT_GE(seeds_with[often], 8) << often;
    }
    for (const char *place : {"at_x_mod_2", "at_x_mod_4", "at_x_and_3", "at_twice_x_mod_4",
                              "at_x_mod_3", "at_next_x_mod_4"}) {
        EXPECT_GE(seeds_with[place], 3) << place;
    }
    EXPECT_GE(seeds_with["at_0_or_4"], 1);
}

TEST(TablesPipeline, HasTablesAndOutputsOfAllTypes) {
    const std::set<std::string> wanted = {"uint8_t", "uint16_t", "int16_t", "int32_t", "float"};
    std::set<std::string> of_tables, of_outputs;
    const auto add_types = [](const Halide::Internal::Function &function,
                              std::set<std::string> &types) {
        for (const Halide::Type type : function.output_types()) {
            types.insert(Halide::type_to_c_type(type, false));
        }
    };
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::vector<Halide::Internal::Function> outputs;
        for (const OutputFunc &output : make_tables(seed).outputs) {
            outputs.push_back(output.func.function());
            add_types(outputs.back(), of_outputs);
        }
        for (const auto &[name, function] : Halide::Internal::build_environment(outputs)) {
            if (name.starts_with("table_")) add_types(function, of_tables);
        }
    }
    for (const std::string &type : wanted) {
        EXPECT_EQ(of_tables.count(type), 1u) << type;
        EXPECT_EQ(of_outputs.count(type), 1u) << type;
    }
}

// The first dimension that may grow: channels may not.
std::optional<Span> row_of(const OutputFunc &output) {
    const auto row = std::ranges::find(output.growable, true);
    if (row == output.growable.end()) return std::nullopt;
    return output.region[static_cast<size_t>(row - output.growable.begin())];
}

// As the plugin's vectors of 16 bytes want them.
TEST(TablesPipeline, HasLongRowsFrom0OnThatAreMultiplesOfFourAndSomeOthers) {
    int seeds_with_vectors = 0, seeds_with_others = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        int vectors = 0, others = 0;
        for (const OutputFunc &output : make_tables(seed).outputs) {
            const std::optional<Span> row = row_of(output);
            if (!row) continue;
            const bool has_vectors = row->lo == 0 && row->extent() % 4 == 0 && row->extent() >= 64;
            has_vectors ? ++vectors : ++others;
        }
        seeds_with_vectors += vectors > 0;
        seeds_with_others += others > 0;
    }
    EXPECT_GE(seeds_with_vectors, 60);
    EXPECT_GE(seeds_with_others, 10);
}

// Else how many there are is known only when the pipeline runs.
TEST(TablesPipeline, BindsChannelsOfItsOutputs) {
    int bound = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        for (const OutputFunc &output : make_tables(seed).outputs) {
            const auto &function = output.func.function();
            for (size_t d = 0; d < output.region.size(); ++d) {
                const auto &bounds = function.schedule().bounds();
                const auto found =
                    std::ranges::find(bounds, function.args()[d], &Halide::Internal::Bound::var);
                if (found == bounds.end()) continue;
                EXPECT_FALSE(output.growable[d]) << "seed " << seed;
                const int extent = output.region[d].extent();
                EXPECT_TRUE(Halide::Internal::is_const(found->extent, extent)) << "seed " << seed;
                bound += extent >= 2 && extent <= 4;
            }
        }
    }
    EXPECT_GE(bound, 10);
}

TEST(Family, AllHasTheKindsOfBoth) {
    std::set<std::string> names;
    for (const Kind &kind : kinds_of(Family::all)) names.insert(kind.name);
    const size_t both = kinds_of(Family::usual).size() + kinds_of(Family::tricky).size();
    EXPECT_EQ(names.size(), both);
}

TEST(Family, ClampedHasTheUsualKindsAndItsOwn) {
    std::set<std::string> names;
    for (const Kind &kind : kinds_of(Family::clamped)) names.insert(kind.name);
    for (const Kind &kind : kinds_of(Family::usual)) EXPECT_EQ(names.count(kind.name), 1u);
    EXPECT_EQ(names.size(), kinds_of(Family::usual).size() + clamped_kinds().size());
}

TEST(Family, TablesHasTheUsualKindsAndItsOwn) {
    std::set<std::string> names;
    for (const Kind &kind : kinds_of(Family::tables)) names.insert(kind.name);
    for (const Kind &kind : kinds_of(Family::usual)) EXPECT_EQ(names.count(kind.name), 1u);
    EXPECT_EQ(names.size(), kinds_of(Family::usual).size() + table_kinds().size());
}

TEST(HandSchedule, KeepsOutOfKernelsWhatSomeOfThemCannotHold) {
    const Halide::Var x("x");
    const auto fits = [&](const Halide::Expr &value) {
        Halide::Func func;
        func(x) = value;
        return fits_every_kernel(func);
    };
    EXPECT_TRUE(fits(x + 1));
    EXPECT_TRUE(fits(Halide::select(x > 3, 1, 2)));
    EXPECT_FALSE(fits(x > 3));
    EXPECT_FALSE(fits(Halide::popcount(x)));
    EXPECT_FALSE(fits(Halide::cast(Halide::BFloat(16), x)));
    Halide::Func kept;
    kept(x) = x;
    kept.memoize();
    EXPECT_FALSE(fits_every_kernel(kept));
    EXPECT_FALSE(fits(kept(x)));
}

TEST(Layout, IsWhatStridesAllow) {
    Halide::ImageParam image(Halide::UInt(8), 3);
    const auto interleaved = [&] {
        return allowed_layout(image.parameter(), Layout::interleaved) == Layout::interleaved;
    };
    EXPECT_FALSE(interleaved());
    image.dim(0).set_stride(Halide::Expr());
    EXPECT_TRUE(interleaved());
    EXPECT_EQ(allowed_layout(image.parameter(), Layout::planar), Layout::planar);
    image.dim(0).set_stride(3);
    EXPECT_EQ(allowed_layout(image.parameter(), Layout::planar), Layout::interleaved);
}

TEST(TimedPipeline, IsTheSameForTheSameSeedAndAnotherForEachOther) {
    for (const Work work : {Work::small, Work::large}) {
        std::set<uint64_t> checksums;
        for (uint64_t seed = 0; seed < kSeeds; ++seed) {
            checksums.insert(make_timed_pipeline(seed, work).checksum);
        }
        EXPECT_EQ(checksums.size(), kSeeds);
        EXPECT_EQ(checksums.count(make_timed_pipeline(3, work).checksum), 1u);
    }
}

TEST(TimedPipeline, DrawsEveryKindSeveralTimesIn200Seeds) {
    std::map<std::string, int> seeds_with;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const RandomPipeline c = make_timed_pipeline(seed, Work::small);
        for (const auto &[kind, times] : c.features) ++seeds_with[kind];
    }
    for (const Kind &kind : kinds_of(Family::usual))
        EXPECT_GE(seeds_with[kind.name], 3) << kind.name;
    EXPECT_EQ(seeds_with["tiny_output"], 0);
}

// What floats that were rounded decide differs from one schedule to the next.
TEST(TimedPipeline, LetsNoFloatInputDecideAnything) {
    for (const Style &style : {kSmall, kLarge}) {
        PipelineBuilder builder(1, style);
        for (int i = 0; i < 40; ++i) builder.add_input(2);
        for (const Value *value : builder.values()) {
            EXPECT_EQ(value->exact, !value->types[0].is_float());
        }
    }
}

TEST(PipelineBuilder, HalvesTheLongestSidesOfABoxThatIsGoneThroughStepByStep) {
    const PipelineBuilder builder(1, kSmall);  // 8192 steps at most
    const std::vector<Span> few = {{5, 68}, {0, 99}};
    EXPECT_EQ(builder.serial_part(few), few);
    // 1000 x 300: 500 x 300, 250 x 300, 250 x 150, 125 x 150, 125 x 75 is 9375, and 62 x 75 fits.
    EXPECT_EQ(builder.serial_part({{10, 1009}, {0, 299}}), (std::vector<Span>{{10, 71}, {0, 74}}));
}

TEST(PipelineBuilder, ReadsChannelsWithoutAClampWhereTheyArePromisedToStayAsTheyAre) {
    PipelineBuilder builder(1, kLongRows);
    FuncBuilder channels = builder.draft("channels", {{0, 2}});
    channels.promise(0);
    Value &value = builder.define(channels, {Halide::Expr(channels.var(0)), 2, true});
    const auto index = [&](FuncBuilder &reader) {
        const Halide::Expr read = reader.read_raw(value, reader.in_place());
        return read.as<Halide::Internal::Call>()->args[0];
    };
    FuncBuilder promised = builder.draft("promised", {{0, 2}}), grows = promised;
    promised.promise(0);
    EXPECT_NE(index(promised).as<Halide::Internal::Variable>(), nullptr);
    EXPECT_EQ(index(grows).as<Halide::Internal::Variable>(), nullptr);
}

TEST(PipelineBuilder, AddsSmallInputsOfTheRegionThatIsWanted) {
    PipelineBuilder builder(1, kLongRows);
    const Value &table = builder.add_small_input({{0, 7}, {-2, 1}});
    EXPECT_EQ(builder.nominal_of(table), (std::vector<Span>{{0, 7}, {-2, 1}}));
    EXPECT_EQ(builder.inputs.at(0).region, builder.nominal_of(table));
}

TEST(MakeImage, GivesALargerImageTheSamePixelsWhereBothHaveThem) {
    const InputImage input{Halide::ImageParam(Halide::UInt(8), 2), {}, 256, 7};
    const Halide::Buffer<uint8_t> small = make_image(input, {{0, 9}, {0, 4}});
    const Halide::Buffer<uint8_t> large = make_image(input, {{-3, 12}, {0, 8}});
    small.for_each_element([&](int x, int y) { EXPECT_EQ(small(x, y), large(x, y)); });
}

TEST(MakeImage, GivesTheSamePixelsInEitherLayout) {
    InputImage input{Halide::ImageParam(Halide::UInt(8), 3), {}, 256, 7};
    input.param.dim(0).set_stride(Halide::Expr());
    const Region region = {{0, 9}, {0, 4}, {0, 2}};
    const Halide::Buffer<uint8_t> planar = make_image(input, region);
    const Halide::Buffer<uint8_t> interleaved = make_image(input, region, Layout::interleaved);
    EXPECT_EQ(planar.dim(0).stride(), 1);
    EXPECT_EQ(interleaved.dim(2).stride(), 1);
    EXPECT_EQ(interleaved.dim(0).stride(), 3);
    planar.for_each_element(
        [&](int x, int y, int c) { EXPECT_EQ(planar(x, y, c), interleaved(x, y, c)); });
}

TEST(OddPipelines, AreNamedUniquelyAndTheSameEachTime) {
    std::set<std::string> names;
    for (const OddPipeline &odd : odd_pipelines()) {
        EXPECT_TRUE(names.insert(odd.name).second) << odd.name;
        EXPECT_EQ(odd.make().checksum, odd.make().checksum) << odd.name;
    }
    EXPECT_GT(names.size(), 60u);
}

}  // namespace
}  // namespace autoschedule_gpu::testing
