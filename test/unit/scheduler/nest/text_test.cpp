#include "scheduler/nest/text.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::parsed;

struct Case {
    const char *what;
    Dag dag;
    std::string text;
};

std::vector<Case> round_trip_cases() {
    const auto chain = [] { return example::stencil_chain(3, 128, 128); };
    return {
        {"everything at root", chain(),
         "kernel f2 blocks x=4 y=16\n  f2 threads x=32 y=8\n    f2 serial\n"
         "kernel f1 blocks x=2 y=17\n  f1 threads x=32 y=8\n    f1 serial x=3\n"
         "kernel f0 blocks x=5 y=132\n  f0 threads x=32\n    f0 serial\n"},
        {"everything inline", chain(),
         "inline: f0 f1\nkernel f2 blocks x=4 y=16\n  f2 threads x=32 y=8\n    f2 serial\n"},
        {"block in block", chain(),
         "kernel f2 blocks x=4 y=16\n"
         "  f0 threads x=36 y=3\n    f0 serial y=4\n"
         "  f1 threads x=17 y=10\n    f1 serial x=2\n"
         "  f2 threads x=32 y=8\n    f2 serial\n"},
        {"thread in block", chain(),
         "kernel f2 blocks x=4 y=16\n"
         "  f1 threads x=34 y=10\n    f0 serial x=3 y=3\n    f1 serial\n"
         "  f2 threads x=32 y=8\n    f2 serial\n"},
        {"thread in thread", chain(),
         "kernel f2 blocks x=4 y=8\n"
         "  f2 threads x=32 y=8\n    f0 serial x=5 y=6\n    f1 serial x=3 y=4\n    f2 serial "
         "y=2\n"},
        {"inline in block, another at root", chain(),
         "inline: f1\n"
         "kernel f2 blocks x=4 y=16\n  f2 threads x=32 y=8\n    f2 serial\n"
         "kernel f0 blocks x=5 y=17\n  f0 threads x=32 y=8\n    f0 serial\n"},
        {"dealt in rounds in the block, beside what is not", chain(),
         "kernel f2 blocks x=4 y=16\n"
         "  f0 threads x=32 y=8\n    f0 strided x=2 y=2\n"
         "  f1 threads x=17 y=10\n    f1 serial x=2\n"
         "  f2 threads x=32 y=8\n    f2 serial\n"},
        {"dealt to flat threads", chain(),
         "kernel f2 blocks x=8 y=16\n"
         "  f0 flat x=20 y=6\n    f0 strided y=2\n"
         "  f1 threads x=18 y=10\n    f1 serial\n"
         "  f2 threads x=16 y=8\n    f2 serial\n"},
        {"spread over the tile", chain(),
         "inline: f0 f1\n"
         "kernel f2 blocks x=4 y=16\n  f2 threads x=8 y=8\n    f2 spread x=4\n"},
        {"update at root", example::matmul(64),
         "kernel out blocks x=4 y=8\n  out threads x=16 y=8\n    out serial\n"
         "kernel prod blocks x=2 y=64\n  prod threads x=32\n    prod serial\n"
         "kernel prod.update(0) blocks x=2 y=16\n  prod.update(0) threads x=16\n"
         "    prod.update(0) serial x=2 y=4 k=64\n"},
        {"update in a block, split unlike the pure definition", example::reduced_stencil(128, 128),
         "kernel out blocks x=4 y=16\n"
         "  total threads x=9 y=2\n    total serial x=4 y=4\n"
         "  total.update(0) threads x=34 y=2\n    total.update(0) serial r=3 y=4\n"
         "  out threads x=32 y=8\n    out serial\n"},
        {"a loop between blocks and threads", example::shifted_patches(128, 128),
         "kernel out blocks x=4 y=16\n"
         "  total threads x=32 y=4\n    total serial y=2\n"
         "  patch threads x=32 y=8 in total.update(0)\n"
         "    diff serial x=3\n    patch serial\n"
         "  total.update(0) threads x=32 y=4 in loop\n    total.update(0) serial y=2\n"
         "  out threads x=32 y=8\n    out serial\n"},
        {"all in shared memory, and all that a loop reads before it",
         example::shifted_patches(128, 128),
         "kernel out blocks x=4 y=16\n"
         "  diff threads x=34 y=5 i=5\n    diff serial y=2\n"
         "  total threads x=32 y=8\n    total serial\n"
         "  patch threads x=16 y=8 in total.update(0)\n    patch serial x=2\n"
         "  total.update(0) threads x=32 y=8 in loop\n    total.update(0) serial\n"
         "  out threads x=32 y=8\n    out serial\n"},
        {"the outermost loop between blocks and threads", example::patches_of_all_shifts(128, 128),
         "kernel out blocks x=4 y=16\n"
         "  total threads x=32 y=4\n    total serial y=2\n"
         "  diff threads x=34 y=8 i=5 in total.update(0)\n    diff serial\n"
         "  total.update(0) threads x=32 y=4 in outer_loop\n"
         "    patch serial y=2 i=5\n    total.update(0) serial y=2 s=5\n"
         "  out threads x=32 y=8\n    out serial\n"},
        {"update in a thread", example::reduced_stencil(128, 128),
         "kernel out blocks x=4 y=16\n"
         "  out threads x=32 y=8\n    total serial x=3\n    total.update(0) serial r=3 x=3\n"
         "    out serial\n"},
        {"not unrolled, or not all", example::reduced_stencil(128, 128),
         "kernel out blocks x=4 y=8\n"
         "  total threads x=9 y=4\n    total serial x=4 y=4 unroll none\n"
         "  total.update(0) threads x=34 y=4\n"
         "    total.update(0) serial r=3 y=4 unroll tile\n"
         "  out threads x=32 y=8\n    out serial y=2 unroll none\n"},
        {"no loop", example::zero_dim(100),
         "kernel sum blocks\n  sum threads\n    sum serial\n"
         "kernel sum.update(0) blocks\n  sum.update(0) threads\n    sum.update(0) serial r=100\n"},
        {"loops with dollars", example::histogram(64, 64),
         "kernel out blocks x=2 y=8\n  out threads x=32 y=8\n    out serial\n"
         "kernel hist blocks i=8\n  hist threads i=32\n    hist serial\n"
         "kernel hist.update(0) blocks\n  hist.update(0) threads\n"
         "    hist.update(0) serial r$x=64 r$y=64\n"},
        {"host", example::host_in_the_middle(64, 64),
         "kernel out blocks x=2 y=8\n  out threads x=32 y=8\n    out serial\n"
         "kernel mid host\n"
         "kernel before blocks x=3 y=8\n  before threads x=32 y=8\n    before serial\n"},
    };
}

TEST(NestText, IsReadBackToTheLetter) {
    for (const Case &c : round_trip_cases()) {
        const Nest nest = parsed(c.dag, c.text);
        EXPECT_EQ(to_text(c.dag, nest), c.text) << c.what;
        EXPECT_EQ(parsed(c.dag, to_text(c.dag, nest)).hash(), nest.hash()) << c.what;
        EXPECT_EQ(check(c.dag, nest, Completeness::complete), std::vector<std::string>{}) << c.what;
    }
}

TEST(NestText, LeavesOutWhatFollows) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest brief = parsed(dag,
                              "inline: f0\n"
                              "\n"
                              "kernel f1\n"
                              "  f1 threads x=32 y=8\n");
    const Nest full = parsed(dag,
                             "inline: f0\n"
                             "kernel f1 blocks x=4 y=16\n"
                             "  f1 threads x=32 y=8\n"
                             "    f1 serial x=1 y=1\n");
    EXPECT_EQ(brief.hash(), full.hash());
}

TEST(NestText, ListsInlinedFuncsInEveryKernelThatUsesThem) {
    const Dag dag = example::stencil_chain(3, 128, 128);
    const Nest nest = parsed(dag,
                             "inline: f0\n"
                             "kernel f2\n  f1 threads x=34 y=10\n  f2 threads x=32 y=8\n");
    EXPECT_EQ(nest.kernels[0]->inlined, std::vector<FuncId>{example::find_func(dag, "f0")});
    const Nest apart =
        parsed(dag,
               "inline: f0\n"
               "kernel f2\n  f2 threads x=32 y=8\nkernel f1\n  f1 threads x=32 y=8\n");
    EXPECT_TRUE(apart.kernels[0]->inlined.empty());
    EXPECT_EQ(apart.kernels[1]->inlined.size(), 1u);
}

TEST(NestText, OfAHostKernelIsOneLine) {
    const Dag dag = example::two_stencils(128, 128);
    EXPECT_EQ(to_text(dag, *make_host_kernel(dag, StageId(1))), "kernel f1 host\n");
}

TEST(ParseNest, NamesTheLineAndWhatItExpected) {
    const Dag dag = example::two_stencils(128, 128);
    const struct {
        const char *text, *error;
    } cases[] = {
        {"inline: f7\n", "line 1: expected a Func, found f7"},
        {"frob\n", "line 1: expected 'kernel', found frob"},
        {"\n\nfrob\n", "line 3: expected 'kernel', found frob"},
        {"kernel\n", "line 1: expected a stage, found the line's end"},
        {"kernel f7\n", "line 1: expected a stage, found f7"},
        {"kernel f0.update(0)\n", "line 1: expected a stage, found f0.update(0)"},
        {"kernel f1 frob\n", "line 1: expected 'blocks' or 'host', found frob"},
        {"kernel f1\n  f9 threads\n", "line 2: expected a stage, found f9"},
        {"kernel f1\n  f1\n",
         "line 2: expected 'threads', 'flat', 'serial', 'strided' or 'spread' after the stage"},
        {"kernel f1\n  f1 warps x=2\n",
         "line 2: expected 'threads', 'flat', 'serial', 'strided' or 'spread' after the stage"},
        {"kernel f1\n  f0 flat x=34\n    f0 serial\n  f1 threads x=32\n",
         "line 2: expected strided points below"},
        {"kernel f1\n  f0 strided x=2\n  f1 threads x=32\n",
         "line 2: expected strided points of a Func of one stage"},
        {"kernel f1\n  f1 threads x=32\n    f0 strided x=3\n    f1 serial\n",
         "line 3: expected 'serial', found strided"},
        {"kernel f1\n  f1 threads x=32\n    f0 spread x=3\n    f1 serial\n",
         "line 3: expected spread points of the kernel's own stage"},
        {"kernel f1\n  f1 threads x=32\n    f1 serial y=2 unroll half\n",
         "line 3: expected 'unroll' with none, tile or all after innermost loops, found half"},
        {"kernel f1\n  f1 threads x=32 unroll none\n",
         "line 2: expected 'unroll' with none, tile or all after innermost loops, found none"},
        {"kernel f1\n  f0 threads x=34 row 0\n  f1 threads x=32\n",
         "line 2: expected 'row' with a number after the threads of a Func's first stage in the "
         "block, found 0"},
        {"kernel f1\n  f1 threads x=32 row 33\n",
         "line 2: expected 'row' with a number after the threads of a Func's first stage in the "
         "block, found 33"},
        {"kernel f1\n  f1 threads z=2\n", "line 2: expected LOOP=TRIPS, found z=2"},
        {"kernel f1\n  f1 threads x\n", "line 2: expected LOOP=TRIPS, found x"},
        {"kernel f1\n  f1 threads x=\n", "line 2: expected LOOP=TRIPS, found x="},
        {"kernel f1\n  f1 threads x=0\n", "line 2: expected LOOP=TRIPS, found x=0"},
        {"kernel f1\n  f1 threads x=-4\n", "line 2: expected LOOP=TRIPS, found x=-4"},
        {"kernel f1\n  f1 threads x=4x\n", "line 2: expected LOOP=TRIPS, found x=4x"},
        {"kernel f1\n  f1 threads x=99999999999999999999\n",
         "line 2: expected LOOP=TRIPS, found x=99999999999999999999"},
        {"kernel f1\n  f0 threads x=34\n    f0 serial q=1\n  f1 threads\n",
         "line 3: expected LOOP=TRIPS, found q=1"},
        {"kernel f1 blocks x=5 y=16\n  f1 threads x=32 y=8\n",
         "line 1: expected blocks x=4 y=16, which is what the tile leaves"},
        {"kernel f1\n  f1 threads x=32\nkernel f9\n", "line 3: expected a stage, found f9"},
    };
    for (const auto &c : cases) {
        const Result<Nest> nest = parse_nest(dag, c.text);
        if (nest.ok()) {
            ADD_FAILURE() << "accepted: " << c.text;
        } else {
            EXPECT_EQ(nest.error().message, c.error);
        }
    }
}

TEST(ParseNest, NamesALoopThatIsNone) {
    const Dag dag = example::shifted_patches(128, 128);
    const struct {
        const char *text, *error;
    } cases[] = {
        {"kernel out\n  patch threads x=32 y=8 in total.update(0)\n  total threads x=32 y=8\n"
         "  total.update(0) threads x=32 y=8\n  out threads x=32 y=8\n",
         "line 2: expected an update below that has a loop, found total.update(0)"},
        {"kernel out\n  total.update(0) threads x=32 y=8 in loop\n  out threads x=32 y=8\n",
         "line 2: expected the pure definition before the update"},
        {"kernel out\n  out threads x=32 y=8 in loop\n",
         "line 2: expected a loop around the threads of a Func in the block only"},
        {"kernel out\n  out threads x=32\n    patch serial in total.update(0)\n    out serial\n",
         "line 3: expected a loop around the threads of a Func in the block only"},
        {"kernel out\n  total threads x=32 y=8\n"
         "  total.update(0) threads x=32 y=8 in outer_loop\n  out threads x=32 y=8\n",
         "line 3: expected an update that reduces along several loops"},
    };
    for (const auto &c : cases) {
        const Result<Nest> nest = parse_nest(dag, c.text);
        ASSERT_FALSE(nest.ok()) << c.text;
        EXPECT_EQ(nest.error().message, c.error);
    }
}

TEST(ParseNest, ReadsNothingAsNothingDecided) {
    const Dag dag = example::two_stencils(128, 128);
    EXPECT_EQ(parsed(dag, "").hash(), empty_nest(dag).hash());
    EXPECT_EQ(parsed(dag, "  \n \n").hash(), empty_nest(dag).hash());
}

TEST(ParseNest, ReadsBackReductionsThatBlocksAndThreadsShare) {
    const Dag dag = example::row_histograms(640, 480);
    const std::string text =
        "kernel hist.update(0) blocks r=60\n"
        "  hist.update(0) threads r=4 i=256\n    hist.update(0) serial r=2\n"
        "kernel rows.update(0) blocks c=5 y=480\n"
        "  rows.update(0) threads c=64\n    rows.update(0) serial c=2\n";
    const Nest nest = parsed(dag, text);
    EXPECT_EQ(to_text(dag, nest), text);
    EXPECT_EQ(nest.kernels[0]->tiling, (Tiling{{2, 4, true}, {1, 256}}));
    EXPECT_EQ(nest.kernels[1]->tiling, (Tiling{{2, 64, true}, {1, 1}}));
}

}  // namespace
}  // namespace autoschedule_gpu
