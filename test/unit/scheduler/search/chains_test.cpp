#include "scheduler/search/chains.h"

#include <gtest/gtest.h>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// `links` Funcs of which each is read by the next, and `out`, which reads all of them.
Dag levels(int links) {
    DagBuilder b;
    FuncId before = b.input("in", {"x"});
    std::vector<FuncId> funcs;
    for (int i = 0; i < links; ++i) {
        const FuncId func = b.func("level" + std::to_string(i), {"x"});
        b.reads(func, before, {at(0, -1, 1)}, 3).ops(func, OpKind::add, 2);
        funcs.push_back(before = func);
    }
    const FuncId out = b.output("out", {{"x", 0, (1 << 20) - 1}});
    for (const FuncId func : funcs) b.reads(out, func, {at(0, -1, 1)});
    return b.build();
}

std::optional<Chain> chain(const Search &search, const State &state, const char *func) {
    return chain_from(search.dag, state, find_func(search.dag, func));
}

TEST(Chains, LeadIntoTheKernelThatReadsAllOfThem) {
    const Search search(levels(3));
    const State plain = plain_state(search.space, search.model);
    const std::optional<Chain> all = chain(search, plain, "level0");
    ASSERT_TRUE(all);
    EXPECT_EQ(all->reader, find_func(search.dag, "out"));
    EXPECT_EQ(all->links,
              (std::vector{find_func(search.dag, "level0"), find_func(search.dag, "level1"),
                           find_func(search.dag, "level2")}));
    EXPECT_EQ(chain(search, plain, "level1")->links.size(), 2u);
}

TEST(Chains, AreNoneOfOneFunc) {
    const Search search(levels(3));
    const State plain = plain_state(search.space, search.model);
    EXPECT_FALSE(chain(search, plain, "level2"));
    EXPECT_FALSE(chain(search, plain, "out"));
}

TEST(Chains, AreNotLong) {
    const Search search(levels(5));
    const State plain = plain_state(search.space, search.model);
    EXPECT_FALSE(chain(search, plain, "level0"));
    EXPECT_TRUE(chain(search, plain, "level1"));
}

TEST(Chains, HaveNoLinkThatMustStayAtRoot) {
    Search on_host(levels(3));
    const State plain = plain_state(on_host.space, on_host.model);
    on_host.dag.funcs[find_func(on_host.dag, "level1").index()].host_reason = "a test";
    EXPECT_FALSE(chain(on_host, plain, "level0"));
}

TEST(Chains, AreOfWhatIsAtRoot) {
    const Search search(levels(3));
    State state = plain_state(search.space, search.model);
    state.nest.places[find_func(search.dag, "level1").index()] = Place::inlined;
    EXPECT_FALSE(chain(search, state, "level0"));
}

TEST(Members, AreThoseOfTheKernelsOfAFunc) {
    Search search(stencil_chain(4, 1536, 1024));
    const State state = search.run().best[0];
    size_t members = 0;
    for (const KernelPtr &kernel : state.nest.kernels) {
        const FuncId func = search.dag.stage(kernel->stage).func;
        ASSERT_EQ(members_of(search.dag, state, func).size(), kernel->members.size());
        members += kernel->members.size();
    }
    EXPECT_GT(members, 0u);
}

}  // namespace
}  // namespace autoschedule_gpu
