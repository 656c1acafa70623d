// Which Funcs in a thread are vectors, and what comes of them.
#include "scheduler/nest/channel_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/dag/storage_order.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/vectors.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

Index all_of(int64_t channels) {
    return {.terms = {}, .lo = 0, .hi = channels - 1};
}

// Cells with so many channels, of which pixels read a mean through what is inlined; `innermost`:
// their dimension that is so in memory.
Dag means(int64_t channels, int innermost = 2) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "c"});
    const FuncId cells = b.func("cells", {"x", "y", "c"}), near = b.func("near", {"x", "y", "c"});
    const FuncId mean = b.func("mean", {"x", "y", "c"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(cells, in, {at(0), at(1), at(2)}).reads(near, cells, {half(0), half(1), at(2)});
    b.reads(mean, near, {at(0), at(1), at(2)}).reads(mean, cells, {at(0), at(1), at(2)});
    b.ops(mean, OpKind::add, 2);
    b.reads(out, mean, {at(0), at(1), all_of(channels)}, static_cast<int>(channels));
    const Dag dag = b.build();
    return with_innermost(dag, find_func(dag, "cells"), innermost);
}

std::string means_nest(int64_t channels, const std::string &kernel = "kernel out\n") {
    return "inline: near\n" + kernel +
           "  out threads x=32 y=8\n    mean serial c=" + std::to_string(channels) +
           "\n    out serial x=1 y=1\n"
           "kernel cells\n  cells threads x=32 y=8\n    cells serial c=" +
           std::to_string(channels) + "\n";
}

// The same with two threads for the channels of a cell.
std::string nest_with_halves() {
    std::string text = means_nest(4);
    text.replace(text.find("cells threads x=32 y=8"), 22, "cells threads x=32 y=4 c=2");
    text.replace(text.find("cells serial c=4"), 16, "cells serial c=2");
    return text;
}

std::optional<ChannelVector> vector_of_mean(const Dag &dag, const std::string &text) {
    return channel_vector(dag, *parsed(dag, text).kernels[0], find_stage(dag, "mean"));
}

TEST(ChannelVectors, AreTwoOrFourChannelsThatLieSideBySide) {
    for (const int64_t channels : {2, 4}) {
        const Dag dag = means(channels);
        const std::optional<ChannelVector> vector = vector_of_mean(dag, means_nest(channels));
        ASSERT_TRUE(vector) << channels;
        EXPECT_EQ(vector->loop, 2U);
        EXPECT_EQ(vector->reads, std::vector{find_func(dag, "cells")});
    }
    EXPECT_FALSE(vector_of_mean(means(3), means_nest(3))) << "there are no vectors of three";
    EXPECT_FALSE(vector_of_mean(means(4, 0), means_nest(4))) << "pixels lie side by side";
}

TEST(ChannelVectors, OfFuncsOfOneDimensionAreStoredAsTheyAre) {
    DagBuilder b;
    const FuncId in = b.input("in", {"c"});
    const FuncId cells = b.func("cells", {"c"}), mean = b.func("mean", {"c"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(cells, in, {at(0)}).reads(mean, cells, {at(0)}).ops(mean, OpKind::add, 2);
    b.reads(out, mean, {all_of(4)}, 4);
    const Dag dag = b.build();
    const std::string text =
        "kernel out\n  out threads x=32 y=8\n    mean serial c=4\n    out serial x=1 y=1\n"
        "kernel cells\n  cells threads c=4\n";
    ASSERT_TRUE(vector_of_mean(dag, text));
    // Halide takes no order of one dimension.
    const Schedule schedule = directives(dag, parsed(dag, text));
    EXPECT_EQ(std::ranges::count(schedule, DirectiveOp::reorder_storage, &Directive::op), 0);
}

TEST(ChannelVectors, AreNoneOfWhatIsALoop) {
    const Dag dag = means(4);
    const Nest kernels = parsed(dag, means_nest(4));
    EXPECT_FALSE(channel_vector(dag, *kernels.kernels[0], find_stage(dag, "out")));
    std::string rolled = means_nest(4);
    rolled.insert(rolled.find("c=4") + 3, " unroll none");
    EXPECT_FALSE(vector_of_mean(dag, rolled)) << "a loop indexes it";
}

std::optional<ChannelVector> vector_of_cells(const Dag &dag, const std::string &text) {
    return channel_vector(dag, *parsed(dag, text).kernels[1], find_stage(dag, "cells"));
}

TEST(ChannelVectors, AreStoredByTheKernelsOwnFunc) {
    for (const int64_t channels : {2, 4}) {
        const std::optional<ChannelVector> vector =
            vector_of_cells(means(channels), means_nest(channels));
        ASSERT_TRUE(vector) << channels;
        EXPECT_TRUE(vector->is_stored);
        EXPECT_EQ(vector->loop, 2U);
        EXPECT_TRUE(vector->reads.empty()) << "nobody knows how an input is stored";
        EXPECT_FALSE(vector_of_mean(means(channels), means_nest(channels))->is_stored);
    }
    EXPECT_FALSE(vector_of_cells(means(3), means_nest(3))) << "there are no vectors of three";
    EXPECT_FALSE(vector_of_cells(means(4, 0), means_nest(4))) << "pixels lie side by side";
    EXPECT_FALSE(vector_of_cells(means(4), nest_with_halves())) << "a thread has two of four";
}

TEST(ChannelVectors, AreNotStoredWhereLanesDiffer) {
    Dag dag = means(4);
    dag.stages[find_stage(dag, "cells").index()].choices = {{2, 2}};
    EXPECT_FALSE(vector_of_cells(dag, means_nest(4)));
}

TEST(ChannelVectors, AreStoredAtOnce) {
    const Dag dag = means(4);
    const auto stores = [&](const std::string &text) {
        const Nest kernels = parsed(dag, text);
        return FeatureExtractor(dag, find_preset("A100").value())
            .extract(*kernels.kernels[1])
            .stages[0]
            .global_stores_per_thread;
    };
    std::string apart = means_nest(4);
    apart.replace(apart.find("kernel cells"), 12, "kernel cells apart");
    EXPECT_EQ(stores(apart), 4);
    EXPECT_EQ(stores(means_nest(4)), 1);
}

TEST(ChannelVectors, AreNoneWhereLanesDiffer) {
    Dag dag = means(4);
    dag.stages[find_stage(dag, "near").index()].choices = {{.loop = 2}};
    EXPECT_FALSE(vector_of_mean(dag, means_nest(4))) << "each channel is another expression";
    dag.stages[find_stage(dag, "near").index()].choices = {{.loop = 0, .period = 2}};
    EXPECT_TRUE(vector_of_mean(dag, means_nest(4)));
}

TEST(ChannelVectors, AreNoneOfOtherElements) {
    Dag dag = means(4);
    dag.funcs[find_func(dag, "cells").index()].values[0].bits = 16;
    EXPECT_FALSE(vector_of_mean(dag, means_nest(4)));
    Dag twice = means(4);
    std::vector<ScalarType> &values = twice.funcs[find_func(twice, "mean").index()].values;
    values.push_back(values.front());
    EXPECT_FALSE(vector_of_mean(twice, means_nest(4))) << "a Tuple";
}

TEST(ChannelVectors, MayBeForgotten) {
    Dag dag = means(4);
    forget_channel_vectors(dag);
    EXPECT_FALSE(vector_of_mean(dag, means_nest(4)));
    EXPECT_FALSE(may_have_channel_vectors(dag, *parsed(dag, means_nest(4)).kernels[0]));
}

TEST(ChannelVectors, AreASwitchOfTheKernelThatReadsBack) {
    const Dag dag = means(4);
    const KernelPtr with = parsed(dag, means_nest(4)).kernels[0];
    const KernelPtr without = switched(with, &Kernel::channel_vectors, false);
    EXPECT_FALSE(channel_vector(dag, *without, find_stage(dag, "mean")));
    EXPECT_TRUE(may_have_channel_vectors(dag, *without));
    EXPECT_NE(without->hash, with->hash);
    const std::string text = "inline: near\n" + to_text(dag, *without);
    EXPECT_EQ(text.find("kernel out apart blocks"), text.find("kernel")) << text;
    EXPECT_EQ(parsed(dag, text).kernels[0]->hash, without->hash);
}

TEST(ChannelVectors, AreExpectedOfWhatIsInlined) {
    const Dag dag = means(4);
    const std::string inlined =
        "inline: mean near\nkernel out\n  out threads x=32 y=8\n    out serial x=1 y=1\n"
        "kernel cells\n  cells threads x=32 y=8\n    cells serial c=4\n";
    const Nest kernels = parsed(dag, inlined);
    EXPECT_EQ(inlined_channels(dag, *kernels.kernels[0]),
              (std::vector{find_func(dag, "mean"), find_func(dag, "near")}));
    EXPECT_TRUE(inlined_channels(dag, *kernels.kernels[1]).empty());
    EXPECT_TRUE(inlined_channels(means(3), *kernels.kernels[0]).empty());
}

TEST(ChannelVectors, AreWrittenWithAPromiseOfWhatIsRead) {
    const Dag dag = means(4);
    const Schedule schedule = directives(dag, parsed(dag, means_nest(4)));
    std::vector<std::string> written;
    for (const Directive &directive : schedule) {
        if (directive.op == DirectiveOp::vectorize || directive.op == DirectiveOp::bound_extent) {
            written.push_back(describe(directive, "out"));
        }
    }
    EXPECT_EQ(written,
              (std::vector<std::string>{"cells.bound_extent(c, 4)",
                                        "cells.full_tiles.vectorize(c_s)", "mean.vectorize(c)"}));
    EXPECT_TRUE(check_against(schedule, dag)) << check_against(schedule, dag).error().message;
    const Result<Trace> trace = parse_trace(to_json(schedule, 1));
    ASSERT_TRUE(trace.ok()) << trace.error().message;
    EXPECT_EQ(trace->schedule, schedule);
}

TEST(ChannelVectors, TakeTheirReadersVectorsWhereTheseWouldBeTooWide) {
    Dag dag = means(4);
    dag.funcs[find_func(dag, "out").index()].aligned_rows = true;
    std::string rows = means_nest(4);
    rows.replace(rows.find("mean serial"), 11, "mean serial x=4");
    rows.replace(rows.find("out serial x=1"), 14, "out serial x=4");
    const auto row_vector = [&](const Dag &on) {
        return vector_loop(on, *parsed(on, rows).kernels[0], find_stage(on, "out"));
    };
    EXPECT_TRUE(row_vector(dag));
    dag.wide_vectors = false;
    EXPECT_FALSE(row_vector(dag));
    forget_channel_vectors(dag);
    EXPECT_TRUE(row_vector(dag));
}

TEST(ChannelVectors, AreInPlaceOfAVectorAlongTheRow) {
    Dag dag = means(4);
    dag.funcs[find_func(dag, "out").index()].aligned_rows = true;
    const auto row_vector = [&](const std::string &kernel) {
        std::string rows = means_nest(4, kernel);
        rows.replace(rows.find("mean serial"), 11, "mean serial x=4");
        rows.replace(rows.find("out serial x=1"), 14, "out serial x=4");
        return vector_loop(dag, *parsed(dag, rows).kernels[0], find_stage(dag, "mean"));
    };
    EXPECT_FALSE(row_vector("kernel out\n"));
    EXPECT_TRUE(row_vector("kernel out apart\n"));
}

TEST(ChannelVectors, AreLoadedAtOnce) {
    const Dag dag = means(4);
    const auto loads = [&](const std::string &text) {
        const Nest kernels = parsed(dag, text);
        return FeatureExtractor(dag, find_preset("A100").value())
            .extract(*kernels.kernels[0])
            .stages[0]
            .global_loads_per_thread;
    };
    EXPECT_EQ(loads(means_nest(4, "kernel out apart\n")), 8);
    EXPECT_EQ(loads(means_nest(4)), 2);
}

// The same with the cells in the block, whose threads have all channels of one each.
std::string means_in_block(const std::string &cells =
                               "  cells flat x=17 y=7\n"
                               "    cells strided c=4\n") {
    return "inline: near\nkernel out\n" + cells +
           "  out threads x=32 y=8\n    mean serial c=4\n    out serial x=1 y=1\n";
}

TEST(ChannelVectors, OfTheBlockLieSideBySideInSharedMemory) {
    const Dag dag = means(4, 0);
    const FuncId cells = find_func(dag, "cells");
    const Nest nest = parsed(dag, means_in_block());
    EXPECT_EQ(channels_in_block(dag, *nest.kernels[0], cells), 2U);
    EXPECT_EQ(vector_of_mean(dag, means_in_block())->reads, std::vector{cells});
    const auto stored = channel_vector(dag, *nest.kernels[0], find_stage(dag, "cells"));
    ASSERT_TRUE(stored);
    EXPECT_TRUE(stored->is_stored);
    EXPECT_EQ(stored->loop, 2U);
    std::vector<std::string> written;
    for (const Directive &directive : directives(dag, nest)) {
        if (directive.func_name == "cells") written.push_back(describe(directive, "cells"));
    }
    for (const char *line : {"cells.reorder_storage(c, x, y)", "cells.vectorize(c)"}) {
        const bool is_there = std::ranges::any_of(
            written, [&](const std::string &w) { return w.ends_with(line + 5); });
        EXPECT_TRUE(is_there) << line;
    }
}

TEST(ChannelVectors, OfTheBlockAreNoneWhereNobodyLoadsThemAtOnce) {
    const Dag dag = means(4, 0);
    const FuncId cells = find_func(dag, "cells");
    std::string apart = means_in_block();
    apart.replace(apart.find("kernel out"), 10, "kernel out apart");
    EXPECT_FALSE(channels_in_block(dag, *parsed(dag, apart).kernels[0], cells));
    std::string read_inline = means_in_block();
    read_inline.replace(read_inline.find("inline: near"), 12, "inline: near mean");
    read_inline.erase(read_inline.find("    mean serial c=4\n"), 20);
    EXPECT_FALSE(channels_in_block(dag, *parsed(dag, read_inline).kernels[0], cells));
    EXPECT_FALSE(channels_in_block(means(4), *parsed(means(4), means_nest(4)).kernels[0], cells))
        << "it is at root";
}

TEST(ChannelVectors, OfTheBlockAreMovedAtOnce) {
    const Dag dag = means(4, 0);
    const auto row_of = [&](std::string text, size_t stage) {
        return FeatureExtractor(dag, find_preset("A100").value())
            .extract(*parsed(dag, text).kernels[0])
            .stages[stage];
    };
    std::string apart = means_in_block();
    apart.replace(apart.find("kernel out"), 10, "kernel out apart");
    EXPECT_EQ(row_of(apart, 0).shared_stores_per_thread, 4);
    EXPECT_EQ(row_of(means_in_block(), 0).shared_stores_per_thread, 1);
    EXPECT_EQ(row_of(apart, 1).shared_loads_per_thread,
              4 * row_of(means_in_block(), 1).shared_loads_per_thread);
}

}  // namespace
}  // namespace autoschedule_gpu
