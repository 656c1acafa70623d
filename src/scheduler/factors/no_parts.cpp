#include "scheduler/factors/no_parts.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "scheduler/schedule/directive_targets.h"

namespace autoschedule_gpu {
namespace {

class Finder {
public:
    explicit Finder(const Dag &dag) : dag_(dag) {}

    void see(const Directive &directive) {
        if (directive.op == DirectiveOp::for_sizes) return outer_.clear();
        if (directive.op == DirectiveOp::split && may_be_empty(directive, directive.loops[0])) {
            outer_.insert({directive.func, directive.stage, directive.loops[1].name});
        }
        if (directive.op != DirectiveOp::rfactor) return;
        const Func *func = find_func(dag_, directive.func);
        const auto dims = directive.loops.begin() + std::ssize(directive.loops) / 2;
        const bool is_found = std::any_of(directive.loops.begin(), dims, [&](const LoopRef &loop) {
            return may_be_empty(directive, loop);
        });
        if (func == nullptr || !is_found) return;
        const StageId stage = func->stages[static_cast<size_t>(directive.stage)];
        if (std::ranges::find(found_, stage) == found_.end()) found_.push_back(stage);
    }

    const std::vector<StageId> &found() const { return found_; }

private:
    // An inner loop of a split runs as often as the split says.
    bool may_be_empty(const Directive &directive, const LoopRef &loop) const {
        if (!loop.is_original()) {
            return outer_.contains({directive.func, directive.stage, loop.name});
        }
        const Loop *found = find_loop(dag_, directive.func, directive.stage, loop.original);
        return found != nullptr && found->may_be_empty;
    }

    const Dag &dag_;
    std::set<std::tuple<int, int, std::string>> outer_;  // loops of splits that may be empty
    std::vector<StageId> found_;
};

}  // namespace

std::vector<StageId> may_have_no_parts(const Dag &dag, const Schedule &schedule) {
    Finder finder(dag);
    for (const Directive &directive : schedule) finder.see(directive);
    return finder.found();
}

}  // namespace autoschedule_gpu
