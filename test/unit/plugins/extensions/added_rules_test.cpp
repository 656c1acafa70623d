#include "plugins/extensions/added_rules.h"

#include <gtest/gtest.h>

#include "scheduler/nest/check.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/space/space.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

constexpr int64_t kMostRows = 8;

// A rule of each list, each with a limit of its own.
void add_rules(api::Library &library) {
    library.tiling_rules.push_back(
        {.name = "short_serial",
         .sentence = "a thread that computes more than four points of a row",
         .in_force = api::InForce::on_request,
         .check = [](const api::TilingCandidate &candidate) -> std::optional<api::Finding> {
             const int64_t points = candidate.stage.loops[0].serial;
             if (points <= 4) return std::nullopt;
             return api::Finding{double(points), 4, "points"};
         }});
    library.fusion_rules.push_back(
        {.name = "no_shared_blur",
         .sentence = "f0 in shared memory",
         .check = [](const api::FusionCandidate &candidate) -> std::optional<api::Finding> {
             const bool shared = candidate.memory == MemoryKind::shared;
             if (candidate.func != "f0" || !shared) return std::nullopt;
             return api::Finding{};
         }});
    library.kernel_rules.push_back(
        {.name = "flat_blocks",
         .sentence = "a block of more than eight rows of threads",
         .check = [](const api::KernelCandidate &candidate) -> std::optional<api::Finding> {
             const api::Kernel &kernel = candidate.kernel;
             const int64_t rows = kernel.threads_y * kernel.threads_z;
             if (rows <= kMostRows) return std::nullopt;
             return api::Finding{double(rows), double(kMostRows), "rows of threads"};
         }});
}

class AddedRules : public testing::Test {
protected:
    AddedRules() {
        Extension extension;
        add_rules(extension.added);
        for (const AnyRule &rule : added_rules({&extension, 1})) EXPECT_TRUE(book_.add(rule));
    }

    RuleId rule(std::string_view name) const { return book_.find(name).value(); }

    SearchSpace space() const { return SearchSpace(dag_, gpu_, book_, Freedom::full); }

    // Where `out` is at root, not tiled yet.
    State with_out_at_root(const SearchSpace &space) const {
        const State start = space.initial();
        const auto made = space.apply(start, decide_place(out_, Place::root));
        return materialise(dag_, start, std::get<Successor>(made), {1.0});
    }

    const Dag dag_ = example::two_stencils(512, 256);
    const FuncId out_ = example::find_func(dag_, "f1"), blur_ = example::find_func(dag_, "f0");
    const GpuModel gpu_ = find_preset("a100").value();
    RuleBook book_;
};

TEST_F(AddedRules, SayWhatTheyAre) {
    EXPECT_EQ(book_[rule("flat_blocks")].sentence, "a block of more than eight rows of threads");
    EXPECT_TRUE(book_.has(rule("flat_blocks")));
    EXPECT_FALSE(book_.has(rule("short_serial")));
}

TEST_F(AddedRules, AboutKernelsAreAskedOfEachTiling) {
    const SearchSpace space = this->space();
    const State state = with_out_at_root(space);
    RuleCounts rejected;
    size_t accepted = 0;
    for (const Decision &decision :
         space.decisions(state, space.steps()[1], Retile::no, rejected)) {
        const auto made = space.apply(state, decision);
        if (const auto *no = std::get_if<Rejection>(&made)) {
            rejected.count(no->rule);
            continue;
        }
        const auto &changes = std::get<Successor>(made).changes;
        const ThreadExtents block = block_size(*changes.at(0).kernel);
        EXPECT_LE(block.y * block.z, kMostRows);
        ++accepted;
    }
    EXPECT_GT(accepted, 0u);
    EXPECT_GT(rejected[rule("flat_blocks")], 0u);
}

TEST_F(AddedRules, AboutTilingsAreAskedWhenTilingsAreListed) {
    const auto most_serial = [&] {
        int64_t most = 0;
        const SearchSpace space = this->space();
        for (const Tiling &tiling : space.tilings(dag_.func(out_).stages[0])) {
            most = std::max(most, tiling[0].serial);
        }
        return most;
    };
    EXPECT_GT(most_serial(), 4);
    book_.switch_on(rule("short_serial"));
    EXPECT_EQ(most_serial(), 4);
    EXPECT_GT(space().static_rejections()[rule("short_serial")], 0u);
}

TEST_F(AddedRules, AboutFusionAreAskedOfEachFunc) {
    const auto in_block = [&](RuleCounts &rejected) {
        const SearchSpace space = this->space();
        State state = with_out_at_root(space);
        const Tiling tiling = {{1, 32}, {1, 8}};
        const auto tiled = space.apply(state, decide_tiling(out_, 0, tiling));
        state = materialise(dag_, state, std::get<Successor>(tiled), {1.0});
        size_t made = 0;
        for (const Decision &decision :
             space.decisions(state, {Step::Kind::place, blur_, {}}, Retile::no, rejected)) {
            if (decision.place != Place::block) continue;
            const auto applied = space.apply(state, decision);
            if (const auto *no = std::get_if<Rejection>(&applied)) {
                rejected.count(no->rule);
            } else {
                ++made;
            }
        }
        return made;
    };
    RuleCounts rejected;
    EXPECT_EQ(in_block(rejected), 0u);
    EXPECT_GT(rejected[rule("no_shared_blur")], 0u);
    book_.switch_off(rule("no_shared_blur"));
    EXPECT_GT(in_block(rejected), 0u);
}

// A copy can only be inlined or computed in a kernel.
TEST(AddedRule, ThatRejectsEveryKernelLeavesThePlainChoices) {
    const Dag dag = example::clamped_stencil(512, 256);
    const GpuModel gpu = find_preset("a100").value();
    RuleBook book;
    const RuleId none =
        book.add(KernelRule{.info = {.name = "no_kernels", .sentence = "any kernel"},
                            .check = [](const KernelCandidate &) { return Verdict(Finding{}); }})
            .value();
    const SearchSpace space(dag, gpu, book, Freedom::full);
    State state = space.initial();
    RuleCounts rejected;
    size_t tilings = 0;
    for (const Step &step : space.steps()) {
        for (const Decision &decision : space.decisions(state, step, Retile::no, rejected)) {
            if (!is_tiling(decision)) continue;
            EXPECT_EQ(std::get<Rejection>(space.apply(state, decision)).rule, none);
            ++tilings;
        }
        const auto made = space.apply(state, space.plain_decision(step));
        ASSERT_TRUE(std::holds_alternative<Successor>(made));
        const Successor &successor = std::get<Successor>(made);
        const std::vector<double> costs(successor.changes.size(), 1.0);
        state = materialise(dag, state, successor, costs);
    }
    EXPECT_GT(tilings, 0u);
    EXPECT_EQ(check(dag, state.nest, Completeness::complete), std::vector<std::string>{});
}

}  // namespace
}  // namespace autoschedule_gpu
