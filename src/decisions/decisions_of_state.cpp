#include "decisions/decisions_of_state.h"

#include <map>
#include <optional>
#include <utility>

#include "decisions/choices.h"
#include "decisions/names.h"
#include "decisions/unroll_choices.h"
#include "decisions/walk.h"
#include "schedule/directives_of_nest.h"
#include "space/atomics.h"
#include "space/tilings.h"
#include "space/wrappers.h"

namespace autoschedule_gpu {
namespace {

class Reader {
public:
    Reader(const SearchSpace &space, const State &state)
        : space_(space), dag_(space.dag()), state_(state), names_(dag_) {
        for (const KernelPtr &kernel : state.nest.kernels) {
            if (kernel->on_host) continue;
            for (const SearchSpace::Member &member : space.members_of(*kernel)) {
                members_.emplace(member.func, member);
            }
        }
    }

    std::vector<Decision> read() {
        for (const Step &step : space_.steps()) {
            if (step.kind == Step::Kind::place) {
                read_place(step.func);
            } else if (state_.nest.placement(step.func) == Placement::root) {
                read_tiling(step.stage);
                read_unroll(step.stage);
            }
        }
        return std::move(decisions_);
    }

private:
    void add(std::string name, DecisionKind kind, DecisionValue value) {
        decisions_.push_back({std::move(name), kind, std::move(value), {}});
    }

    Place place_of_member(const SearchSpace::Member &member) const {
        if (member.kind == Move::Kind::compute_in_thread) return Place::threads;
        if (!member.loop.valid()) return Place::block;
        const bool own = dag_.stage(member.loop).func == member.func;
        return own ? Place::block_loop : Place::loop;
    }

    void read_place(FuncId func) {
        const Placement placement = state_.nest.placement(func);
        const auto member = members_.find(func);
        Place place = placement == Placement::root ? Place::root : Place::inlined;
        if (member != members_.end()) place = place_of_member(member->second);
        add(names_.func(func), DecisionKind::place, std::string(name(place)));
        if (member == members_.end()) return;
        if (place != Place::threads) read_member(member->second);
        for (StageId stage : dag_.func(func).stages) read_unroll(stage);
    }

    void read_member(const SearchSpace::Member &member) {
        const bool dealt = member.tile == MemberTile::dealt;
        if (is_copy(dag_, member.func)) {
            add(names_.func(member.func), DecisionKind::member_tile,
                std::string(dealt ? "dealt" : "split"));
        }
        if (dealt) return;
        const StageId pure = dag_.func(member.func).stages[0];
        for (size_t l = 0; l < dag_.stage(pure).loops.size(); ++l) {
            const auto dim = static_cast<size_t>(dag_.stage(pure).loops[l].dim);
            add(names_.loop(pure, l), DecisionKind::serial, member.serial[dim]);
        }
    }

    void read_tiling(StageId id) {
        const Stage &stage = dag_.stage(id);
        const Kernel &kernel = *state_.nest.kernels[static_cast<size_t>(state_.home[id.index()])];
        if (kernel.on_host || stage.predicate_reads) return;
        RuleCounts unused{};
        const bool atomics = allows_atomics_at_root(dag_, space_.gpu(), space_.rules(), id, unused);
        const std::vector<int64_t> extents = loop_extents(dag_, id);
        for (size_t l = 0; l < stage.loops.size(); ++l) {
            const LoopTile &tile = kernel.tiling[l];
            const std::string name = names_.loop(id, l);
            if (!stage.loops[l].parallel && atomics && may_be_shared(stage.loops[l])) {
                add(name, DecisionKind::reduction, std::string(tile.atomic ? "atomic" : "serial"));
            }
            if (!is_split(stage.loops[l], tile) || extents[l] == 1) continue;
            add(name, DecisionKind::serial, tile.serial);
            add(name, DecisionKind::threads, tile.threads);
        }
    }

    void read_unroll(StageId id) {
        const KernelPtr &kernel = state_.nest.kernels[static_cast<size_t>(state_.home[id.index()])];
        if (kernel->on_host) return;
        const std::vector<Unroll> choices = unroll_choices(dag_, space_.gpu(), kernel, id);
        if (choices.size() == 1) return;
        const Unroll own = find_innermost(*kernel, id)->unroll;
        add(names_.stage(id), DecisionKind::unroll, std::string(name(own)));
        for (Unroll choice : choices) {
            decisions_.back().choices.push_back(std::string(name(choice)));
        }
    }

    const SearchSpace &space_;
    const Dag &dag_;
    const State &state_;
    const Names names_;
    std::map<FuncId, SearchSpace::Member> members_;
    std::vector<Decision> decisions_;
};

// The first directive that is another, for a message.
std::optional<std::string> difference(const Schedule &wanted, const Schedule &found) {
    for (size_t i = 0; i < wanted.size(); ++i) {
        if (i < found.size() && wanted[i] == found[i]) continue;
        return "directive " + std::to_string(i + 1) + ", " + describe(wanted[i]) + ", would be " +
               (i < found.size() ? describe(found[i]) : "missing");
    }
    if (found.size() == wanted.size()) return std::nullopt;
    return "there would be a directive more, " + describe(found[wanted.size()]);
}

}  // namespace

Result<DecisionList> decisions_of_state(const Dag &dag, const State &state, const GpuModel &gpu,
                                        const RuleSet &rules, Freedom freedom,
                                        uint64_t pipeline_hash) {
    const bool may_stage = freedom == Freedom::full && single_reader_wrappers(dag).empty();
    const WrappedReads wrapped =
        may_stage ? with_wrapped_reads(dag, state.nest) : WrappedReads{dag, state.nest, {}};
    const SearchSpace space(wrapped.dag, gpu, rules, freedom);
    const State complete = space.adopt(wrapped.nest);
    const SearchSpace stepped = space.with_steps_of(single_reader_wrappers(wrapped.dag));
    DecisionList list{pipeline_hash, freedom, Reader(stepped, complete).read()};
    const Result<State> end = add_choices(stepped, list);
    if (!end) return end.error();
    const auto other = difference(directives(dag, state.nest), directives(wrapped.dag, end->nest));
    if (other) return Error{*other};
    return list;
}

}  // namespace autoschedule_gpu
