// Threads along what a kernel stores, or across it.
#include "scheduler/nest/thread_order.h"

#include <gtest/gtest.h>

#include "scheduler/nest/check.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/text.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::parsed;

const std::string kTiles = "inline: f0\nkernel f1\n  f1 threads x=32 y=8\n    f1 serial y=4\n";

KernelPtr across(const KernelPtr &kernel) {
    return switched(kernel, &Kernel::along_stores, false);
}

TEST(ThreadOrder, IsExchangedAndBack) {
    const Dag dag = example::two_stencils(1024, 512);
    const Nest nest = parsed(dag, kTiles);
    const KernelPtr kernel = nest.kernels[0], other = across(kernel);
    ASSERT_TRUE(may_exchange_threads(*kernel));
    EXPECT_TRUE(may_exchange_threads(*other));
    EXPECT_FALSE(other->along_stores);
    EXPECT_NE(other->hash, kernel->hash);
    const std::vector<int> &along = root_threads(*kernel)->axes, &now = root_threads(*other)->axes;
    EXPECT_EQ(now[0], along[1]);
    EXPECT_EQ(now[1], along[0]);
    EXPECT_EQ(across(other)->hash, other->hash);
    EXPECT_EQ(switched(other, &Kernel::along_stores, true)->hash, kernel->hash);
}

TEST(ThreadOrder, IsReadFromWhatIsWritten) {
    const Dag dag = example::two_stencils(1024, 512);
    Nest nest = parsed(dag, kTiles);
    nest.kernels[0] = across(nest.kernels[0]);
    const std::string text = to_text(dag, nest);
    EXPECT_NE(text.find("across"), std::string::npos) << text;
    const Nest again = parsed(dag, text);
    EXPECT_EQ(again.kernels[0]->hash, nest.kernels[0]->hash);
    EXPECT_EQ(check(dag, again, Completeness::complete), std::vector<std::string>{});
}

TEST(ThreadOrder, OfOneDimensionStaysAsItIs) {
    const Dag dag = example::two_stencils(1024, 512);
    const KernelPtr kernel = parsed(dag, "inline: f0\nkernel f1\n  f1 threads x=128\n").kernels[0];
    EXPECT_FALSE(may_exchange_threads(*kernel));
    EXPECT_EQ(across(kernel), kernel);
}

TEST(ThreadOrder, StaysWhereABlockComputesMore) {
    const Dag dag = example::two_stencils(1024, 512);
    const Nest nest = parsed(dag, "kernel f1\n  f0 threads x=34 y=10\n  f1 threads x=32 y=8\n");
    EXPECT_FALSE(may_exchange_threads(*nest.kernels[0]));
    EXPECT_EQ(across(nest.kernels[0]), nest.kernels[0]);
}

}  // namespace
}  // namespace autoschedule_gpu
