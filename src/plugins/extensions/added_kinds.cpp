#include "plugins/extensions/added_kinds.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/support/hash.h"
#include "plugins/extensions/plain_nest.h"
#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {
namespace {

std::string text_of(const DecisionValue &value) {
    if (const int64_t *number = std::get_if<int64_t>(&value)) return std::to_string(*number);
    return std::get<std::string>(value);
}

class AddedKind final : public StageKind, public std::enable_shared_from_this<AddedKind> {
public:
    AddedKind(std::shared_ptr<const api::DecisionKind> kind, const GpuModel &gpu)
        : kind_(std::move(kind)), gpu_(gpu) {}

    std::string_view name() const override { return kind_->name(); }

    std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &, const KernelPtr &kernel,
                                       StageId stage) const override {
        const api::Kernel plain = plain_kernel(dag, gpu_, *kernel);
        return kind_->choices(plain, position_in(plain, dag, stage));
    }

    std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const override {
        for (const StageSetting &setting : kernel.settings) {
            if (setting.stage == stage && setting.kind->name() == name()) return setting.value;
        }
        return std::nullopt;
    }

    // Values that the kind does not list are refused here, for its own code knows no others.
    Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                             const DecisionValue &value) const override {
        const std::vector<DecisionValue> listed = choices(dag, gpu_, kernel, stage);
        if (std::ranges::find(listed, value) == listed.end()) {
            std::string expected;
            for (const DecisionValue &choice : listed) {
                expected += (expected.empty() ? "" : ", ") + text_of(choice);
            }
            return Error{"expected " + (expected.empty() ? "nothing" : "one of " + expected)};
        }
        const bool is_as_without = value == listed.front();
        if (is_as_without && !this->value(*kernel, stage)) return kernel;
        KernelDraft draft(*kernel);
        const uint64_t hash = Hasher().add(name()).add(stage.index()).add(text_of(value)).value();
        draft.set({stage, shared_from_this(), value, hash});
        return std::move(draft).finish();
    }

    Schedule directives(const Dag &dag, const Kernel &kernel, StageId stage) const override {
        const std::optional<DecisionValue> decided = value(kernel, stage);
        if (!decided) return {};
        const api::Kernel plain = plain_kernel(dag, gpu_, kernel);
        Schedule added = kind_->directives(plain, position_in(plain, dag, stage), *decided);
        if (std::ranges::find(added, DirectiveOp::for_sizes, &Directive::op) != added.end()) {
            throw std::invalid_argument("the kind of decisions \"" + std::string(name()) +
                                        "\" gives the directive for_sizes, which begins a "
                                        "schedule of its own and is no kind's to give");
        }
        return added;
    }

private:
    static size_t position_in(const api::Kernel &kernel, const Dag &dag, StageId stage) {
        const int func = dag.func_of(stage).halide_index, update = dag.stage(stage).index;
        const auto found = std::ranges::find_if(kernel.stages, [&](const api::Stage &other) {
            return other.func_index == func && other.update == update;
        });
        return static_cast<size_t>(found - kernel.stages.begin());
    }

    std::shared_ptr<const api::DecisionKind> kind_;
    GpuModel gpu_;
};

}  // namespace

StageKinds added_kinds(std::span<const Extension> extensions, const GpuModel &gpu) {
    StageKinds kinds;
    for (const Extension &extension : extensions) {
        for (const auto &kind : extension.added.decision_kinds) {
            kinds.push_back(std::make_shared<const AddedKind>(kind, gpu));
        }
    }
    return kinds;
}

}  // namespace autoschedule_gpu
