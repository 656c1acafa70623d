#include "plugins/extensions/added_kinds.h"

#include <gtest/gtest.h>

#include "scheduler/schedule/directives_of_nest.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

// Rows of what is at root and no output may begin at multiples of 32 elements.
class Padding final : public api::DecisionKind {
public:
    std::string_view name() const override { return "padding"; }

    std::vector<api::DecisionValue> choices(const api::Kernel &kernel,
                                            size_t stage) const override {
        const api::Stage &at = kernel.stages[stage];
        if (at.is_output || at.memory != api::MemoryKind::global) return {};
        return {std::string("none"), std::string("rows")};
    }

    std::vector<api::Directive> directives(const api::Kernel &kernel, size_t stage,
                                           const api::DecisionValue &value) const override {
        if (std::get<std::string>(value) == "none") return {};
        api::Directive align;
        align.op = api::DirectiveOp::align_storage;
        align.func = kernel.stages[stage].func_index;
        align.func_name = kernel.stages[stage].func;
        align.loops = {api::LoopRef{0, "x"}};
        align.factor = 32;
        return {align};
    }
};

class AddedKinds : public testing::Test {
protected:
    AddedKinds() {
        Extension extension;
        extension.added.decision_kinds.push_back(std::make_shared<Padding>());
        kind_ = added_kinds({&extension, 1}, gpu_).at(0);
    }

    Schedule directives_with(KernelPtr blur) const {
        Nest nest = nest_;
        nest.kernels[1] = std::move(blur);
        return directives(dag_, nest);
    }

    const Dag dag_ = example::two_stencils(512, 256);
    const GpuModel gpu_ = find_preset("a100").value();
    const Nest nest_ = example::parsed(dag_, R"(kernel f1 blocks x=16 y=32
  f1 threads x=32 y=8
    f1 serial x=1 y=1
kernel f0 blocks x=17 y=33
  f0 threads x=32 y=8
    f0 serial x=1 y=1)");
    const StageId out_ = example::find_stage(dag_, "f1"), blur_ = example::find_stage(dag_, "f0");
    std::shared_ptr<const StageKind> kind_;
};

// Begins a schedule for other sizes, of which there is none.
class Sections final : public api::DecisionKind {
public:
    std::string_view name() const override { return "sections"; }
    std::vector<api::DecisionValue> choices(const api::Kernel &, size_t) const override {
        return {int64_t{0}, int64_t{1}};
    }
    std::vector<api::Directive> directives(const api::Kernel &, size_t,
                                           const api::DecisionValue &) const override {
        api::Directive section;
        section.op = api::DirectiveOp::for_sizes;
        return {section};
    }
};

TEST_F(AddedKinds, BeginNoScheduleForOtherSizes) {
    Extension extension;
    extension.added.decision_kinds.push_back(std::make_shared<Sections>());
    const auto kind = added_kinds({&extension, 1}, gpu_).at(0);
    const KernelPtr cut = kind->decide(dag_, nest_.kernels[1], blur_, int64_t{1}).value();
    EXPECT_THROW(directives_with(cut), std::invalid_argument);
}

TEST_F(AddedKinds, AskTheLibraryForChoices) {
    EXPECT_EQ(kind_->name(), "padding");
    EXPECT_EQ(kind_->choices(dag_, gpu_, nest_.kernels[1], blur_),
              (std::vector<DecisionValue>{std::string("none"), std::string("rows")}));
    EXPECT_TRUE(kind_->choices(dag_, gpu_, nest_.kernels[0], out_).empty());
}

TEST_F(AddedKinds, LeaveAKernelAsItIsByTheirFirstChoice) {
    const KernelPtr kernel = nest_.kernels[1];
    EXPECT_EQ(kind_->value(*kernel, blur_), std::nullopt);
    EXPECT_EQ(kind_->decide(dag_, kernel, blur_, std::string("none")).value(), kernel);
}

TEST_F(AddedKinds, AddDirectivesBehindTheStagesOwn) {
    const KernelPtr padded =
        kind_->decide(dag_, nest_.kernels[1], blur_, std::string("rows")).value();
    EXPECT_EQ(kind_->value(*padded, blur_), DecisionValue(std::string("rows")));
    EXPECT_NE(padded->hash, nest_.kernels[1]->hash);
    const Schedule before = directives(dag_, nest_), after = directives_with(padded);
    ASSERT_EQ(after.size(), before.size() + 1);
    const auto added = std::ranges::find(after, DirectiveOp::align_storage, &Directive::op);
    ASSERT_NE(added, after.end());
    EXPECT_EQ(added->func_name, "f0");
    EXPECT_EQ(std::prev(added)->func_name, "f0");

    // And take them away again.
    const KernelPtr again = kind_->decide(dag_, padded, blur_, std::string("none")).value();
    EXPECT_EQ(directives_with(again), before);
}

TEST_F(AddedKinds, RefuseWhatIsNoChoice) {
    const auto refused = kind_->decide(dag_, nest_.kernels[1], blur_, int64_t{3});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "expected one of none, rows");
    EXPECT_EQ(kind_->decide(dag_, nest_.kernels[0], out_, int64_t{3}).error().message,
              "expected nothing");
}

}  // namespace
}  // namespace autoschedule_gpu
