#include "scheduler/search/dependences.h"

#include <gtest/gtest.h>

#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;

class TwoChains : public testing::Test {
protected:
    // a0 -> a1 -> a2 and b0 -> b1 -> b2, which out reads; more Funcs than a word has bits come
    // before.
    TwoChains() {
        example::DagBuilder b;
        FuncId last = b.input("in", {"x"});
        for (int i = 0; i < 70; ++i) last = after(b, "before" + std::to_string(i), last);
        const FuncId start = last;
        for (const std::string chain : {"a", "b"}) {
            last = start;
            for (int i = 0; i < 3; ++i) last = after(b, chain + std::to_string(i), last);
            ends_.push_back(last);
        }
        const FuncId out = b.output("out", {{"x", 0, 63}});
        for (const FuncId end : ends_) b.reads(out, end, {example::at(0)});
        dag_ = b.build();
    }

    static FuncId after(example::DagBuilder &b, const std::string &name, FuncId read) {
        const FuncId func = b.func(name, {"x"});
        b.reads(func, read, {example::at(0)});
        return func;
    }

    FuncId func(const std::string &name) const { return find_func(dag_, name); }

    Dag dag_;

private:
    std::vector<FuncId> ends_;
};

TEST_F(TwoChains, DependAlongAChainAndNotAcross) {
    const Dependences of(dag_);
    EXPECT_TRUE(of.depend(func("a0"), func("a2")));
    EXPECT_TRUE(of.depend(func("a2"), func("a0"))) << "in either order";
    EXPECT_TRUE(of.depend(func("before0"), func("b2")));
    EXPECT_TRUE(of.depend(func("a1"), func("a1"))) << "a Func is not computed with itself";
    EXPECT_FALSE(of.depend(func("a0"), func("b2")));
}

TEST_F(TwoChains, WhatIsComputedTogetherOrdersWhatIsBeforeAndAfter) {
    Dependences of(dag_);
    of.join(func("a0"), func("b2"));
    EXPECT_FALSE(of.depend(func("a0"), func("b2")));
    EXPECT_TRUE(of.depend(func("a1"), func("b0"))) << "b0 comes before a0, and that before a1";
    EXPECT_TRUE(of.depend(func("a2"), func("b1")));
    EXPECT_TRUE(of.depend(func("a1"), func("b2"))) << "it reads what is computed with it";
}

TEST_F(TwoChains, ChainsMayGoStepByStep) {
    Dependences of(dag_);
    for (const std::string step : {"0", "1", "2"}) {
        EXPECT_FALSE(of.depend(func("a" + step), func("b" + step)));
        of.join(func("a" + step), func("b" + step));
    }
    EXPECT_TRUE(of.depend(func("a0"), func("b1")));
    EXPECT_FALSE(of.depend(func("b1"), func("a1"))) << "they are together";
}

}  // namespace
}  // namespace autoschedule_gpu
