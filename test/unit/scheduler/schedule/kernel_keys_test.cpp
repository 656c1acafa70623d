#include "scheduler/schedule/kernel_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/space/wrappers.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::sound;

std::string at_root(const std::string &func, int rows = 8) {
    return "kernel " + func + "\n  " + func + " threads x=32 y=" + std::to_string(rows) + "\n";
}

// out reads left and right, which read base.
class KernelKeys : public ::testing::Test {
protected:
    enum Kernels : uint8_t { out, right, left, base };

    std::vector<uint64_t> keys(const std::string &of_base) const {
        return kernel_keys(dag_, sound(dag_, others_ + of_base));
    }

    Dag dag_ = example::diamond(1024, 512);
    const std::string others_ = at_root("out") + at_root("right") + at_root("left");
    const std::string base_ = at_root("base");
};

TEST_F(KernelKeys, AreTheSameWhateverWrappersThereCouldBe) {
    const WrappedReads wrapped = with_wrapped_reads(dag_, sound(dag_, others_ + base_));
    EXPECT_EQ(kernel_keys(wrapped.dag, wrapped.nest), keys(base_));
}

TEST_F(KernelKeys, OfKernelsThatAreTiledAlikeStayTheSame) {
    const std::vector<uint64_t> before = keys(base_);
    const std::vector<uint64_t> after = keys(at_root("base", 4));
    EXPECT_NE(after[base], before[base]);
    for (const Kernels other : {out, right, left}) EXPECT_EQ(after[other], before[other]);
}

TEST_F(KernelKeys, TellHowWhatIsReadIsStored) {
    const std::vector<uint64_t> before = keys(base_);
    dag_.funcs[example::find_func(dag_, "base").index()].stored_first = 1;
    const std::vector<uint64_t> after = keys(base_);
    for (const Kernels changed : {base, right, left}) EXPECT_NE(after[changed], before[changed]);
    EXPECT_EQ(after[out], before[out]);
}

TEST_F(KernelKeys, TellWhatIsInlined) {
    const std::string text = at_root("out") + at_root("right") + base_;
    const std::vector<uint64_t> after = kernel_keys(dag_, sound(dag_, "inline: left\n" + text));
    EXPECT_NE(after[out], keys(base_)[out]);
    EXPECT_EQ(after[right], keys(base_)[right]);
}

}  // namespace
}  // namespace autoschedule_gpu
