// Wrappers that users have made with in() and clone_in().
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using HFunc = Halide::Func;
using Halide::Pipeline;

// Two Funcs read a third beside their own points.
struct Fork {
    HFunc source{"source"}, left{"left"}, right{"right"}, result{"result"};

    Fork() {
        source(x, y) = Halide::sqrt(Halide::cast<float>(x + y));
        left(x, y) = source(x - 1, y) + source(x + 1, y);
        right(x, y) = source(x, y - 1) + source(x, y + 1);
        result(x, y) = left(x, y) * right(x, y);
        result.set_estimates({{0, 64}, {0, 64}});
    }
};

// What a Func reads.
std::vector<std::string> read_by(const Dag &dag, const std::string &name) {
    std::vector<std::string> names;
    for (const EdgeId edge : dag.stage(func(dag, name).stages[0]).edges) {
        names.push_back(dag.func(dag.edge(edge).producer).name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(ReadWrappers, StandBetweenTheFuncAndItsReader) {
    Fork fork;
    HFunc wrapper = fork.source.in(fork.left);
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_EQ(read_by(dag, fork.left.name()), Names{wrapper.name()});
    EXPECT_EQ(read_by(dag, wrapper.name()), Names{fork.source.name()});
    EXPECT_EQ(read_by(dag, fork.right.name()), Names{fork.source.name()});
}

TEST(ReadWrappers, OfAllReadersStandBetweenTheFuncAndAllOfThem) {
    Fork fork;
    HFunc wrapper = fork.source.in();
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_EQ(read_by(dag, fork.left.name()), Names{wrapper.name()});
    EXPECT_EQ(read_by(dag, fork.right.name()), Names{wrapper.name()});
}

TEST(ReadWrappers, OfWrappersStandBetweenThemAndTheReader) {
    Fork fork;
    HFunc outer = fork.source.in(fork.left), inner = outer.in(fork.left);
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_EQ(read_by(dag, fork.left.name()), Names{inner.name()});
    EXPECT_EQ(read_by(dag, inner.name()), Names{outer.name()});
}

TEST(ReadWrappers, ThatAreClonesReadWhatTheOtherReads) {
    Fork fork;
    HFunc clone = fork.left.clone_in(fork.result);
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_EQ(read_by(dag, clone.name()), Names{fork.source.name()});
    EXPECT_FALSE(has_func(dag, fork.left.name()));
}

TEST(ReadWrappers, AreNotedBeTheyLeftInline) {
    Fork fork;
    EXPECT_FALSE(read(Pipeline(fork.result)).has_user_wrappers);
    fork.source.in(fork.left);
    EXPECT_TRUE(read(Pipeline(fork.result)).has_user_wrappers);
}

TEST(ReadWrappers, LeaveThePipelineAlone) {
    Fork fork;
    fork.source.in(fork.left).compute_root();
    read(Pipeline(fork.result));
    const auto calls = Halide::Internal::find_direct_calls(fork.left.function());
    EXPECT_TRUE(calls.contains(fork.source.name()));
}

TEST(ReadWrappers, WithoutAPlaceStayInline) {
    Fork fork;
    HFunc wrapper = fork.source.in(fork.left);
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_TRUE(func(dag, wrapper).must_inline);
    EXPECT_EQ(func(dag, fork.source).ours, Func::Ours::all);
    EXPECT_TRUE(func(dag, fork.source).can_inline);
}

TEST(ReadWrappers, AtRootAreFoundByWhatTheyWrapAndForWhom) {
    Fork fork;
    HFunc wrapper = fork.source.in(fork.left).compute_root();
    const Dag dag = read(Pipeline(fork.result));
    const Func &read_wrapper = func(dag, wrapper);
    EXPECT_EQ(read_wrapper.ours, Func::Ours::loops);
    EXPECT_EQ(read_wrapper.users_wrapper_of, id_of(dag, fork.source.name()));
    EXPECT_EQ(read_wrapper.users_wrapper_for, id_of(dag, fork.left.name()));
    // Those that Pipeline::get_func gives.
    for (const HFunc &other : {fork.source, fork.left, fork.right, fork.result}) {
        EXPECT_LT(func(dag, other).halide_index, read_wrapper.halide_index);
    }
}

TEST(ReadWrappers, OfWhichTheLoopsAreTheUsersNeedNoName) {
    Fork fork;
    HFunc wrapper = fork.source.in({fork.left, fork.right}).compute_root().parallel(y);
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_EQ(func(dag, wrapper).ours, Func::Ours::nothing);
    EXPECT_FALSE(func(dag, wrapper).users_wrapper_of.valid());
}

TEST(ReadWrappers, OfSeveralReadersAndClonesAtRootAreRefusedByName) {
    const auto expected = [](const HFunc &wrapper) {
        return "Func " + wrapper.name() +
               ": a wrapper of several readers, or one made by "
               "clone_in(), can't be kept while its loops are the autoscheduler's to make: "
               "schedule these, too, or remove the wrapper";
    };
    Fork shared, cloned;
    HFunc of_both = shared.source.in({shared.left, shared.right}).compute_root();
    EXPECT_EQ(error_of(Pipeline(shared.result)), expected(of_both));
    HFunc clone = cloned.left.clone_in(cloned.result).compute_root();
    EXPECT_EQ(error_of(Pipeline(cloned.result)), expected(clone));
}

// What is computed in loops of the users'.

TEST(ReadUserSites, KeepWhatReadsThemInline) {
    Fork fork;
    fork.result.parallel(y);
    fork.source.compute_at(fork.result, y);
    const Dag dag = read(Pipeline(fork.result));
    EXPECT_TRUE(func(dag, fork.left).must_inline);
    EXPECT_TRUE(func(dag, fork.right).must_inline);
}

TEST(ReadUserSites, NameTheReaderThatCannotBeInline) {
    HFunc source("source"), sum("sum"), result("result");
    source(x, y) = x + y;
    sum(x, y) = source(x, y);
    sum(x, y) += 1;
    result(x, y) = sum(x, y) + 1;
    result.set_estimates({{0, 64}, {0, 64}});
    result.parallel(y);
    source.compute_at(result, y);
    EXPECT_EQ(error_of(Pipeline(result)),
              "Func " + source.name() + ": compute_at can't be kept, for " + sum.name() +
                  " reads it and is the autoscheduler's to place: schedule " + sum.name() +
                  ", too, or remove compute_at (autoscheduler.respect=refuse refuses all)");
}

TEST(ReadUserLoops, ReadCopiesInline) {
    Fork fork;
    HFunc copy("copy"), reader("reader");
    copy(x, y) = fork.result(x, y);
    fork.result.compute_root();
    reader(x, y) = copy(x, y) + copy(x, y + 1);
    HFunc other("other"), last("last");
    other(x, y) = copy(x - 1, y) + copy(x + 1, y);
    last(x, y) = reader(x, y) + other(x - 1, y) + other(x + 1, y);
    last.set_estimates({{0, 64}, {0, 64}});
    reader.compute_root().parallel(y);
    const Dag dag = read(Pipeline(last));
    EXPECT_TRUE(func(dag, copy).must_inline);
    EXPECT_FALSE(func(dag, fork.result).must_inline);
}

}  // namespace
}  // namespace autoschedule_gpu
