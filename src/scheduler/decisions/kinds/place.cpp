#include "scheduler/decisions/kinds/place.h"

#include <algorithm>
#include <span>

#include "scheduler/rules/named_rules.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {
namespace {

const Member &member_of(const StepReader &reader, FuncId func) {
    const Kernel &kernel = *reader.kernel_of(reader.dag().func(func).stages[0]);
    return *std::ranges::find(kernel.members, func, &Member::func);
}

// Points per thread of a Func in the block along a dimension, as decided: where the pure definition
// has all of them in a thread for want of an axis, an update that has one tells.
int64_t decided_serial(const Dag &dag, const Kernel &kernel, const Member &member, size_t dim) {
    const int64_t serial = serial_of(dag, kernel, member)[dim];
    const std::vector<StageId> &stages = dag.func(member.func).stages;
    const std::vector<int64_t> &shared = find_threads(kernel, stages[0])->trips;
    if (shared[dim] > 1) return serial;
    for (const StageId update : std::span(stages).subspan(1)) {
        const std::vector<Loop> &loops = dag.stage(update).loops;
        const Band &threads = *find_threads(kernel, update);
        for (size_t l = 0; l < loops.size(); ++l) {
            const bool is_it = loops[l].dim == static_cast<int>(dim) && threads.trips[l] > 1;
            if (is_it) return threads.body.back()->trips[l];
        }
    }
    return serial;
}

void read_member(const StepReader &reader, const Member &member, std::vector<Coordinate> &list) {
    const bool cooperative = member.tile == MemberTile::cooperative;
    if (is_copy(reader.dag(), member.func) || may_be_dealt(reader.dag(), member.func)) {
        list.push_back({reader.names.func(member.func),
                        decision_kind::member_tile,
                        std::string(cooperative ? "dealt" : "split"),
                        {}});
    }
    if (cooperative) return;
    const StageId pure = reader.dag().func(member.func).stages[0];
    const Kernel &kernel = *reader.kernel_of(pure);
    for (size_t l = 0; l < reader.dag().stage(pure).loops.size(); ++l) {
        const auto dim = static_cast<size_t>(reader.dag().stage(pure).loops[l].dim);
        list.push_back({reader.names.loop(pure, l),
                        decision_kind::serial,
                        decided_serial(reader.dag(), kernel, member, dim),
                        {}});
    }
}

// Of the decisions that there are, the one inline or at root. What is inline in what comes to be
// inline on the host is evaluated there, too, though a search does not offer that: it decides the
// two in another order.
std::variant<Decision, Rejection> outside_kernels(const ListedSteps &steps, const State &state,
                                                  FuncId func, Place place) {
    RuleCounts rejected{};
    const Step step{Step::Kind::place, func, {}};
    for (Decision &other : steps.space.decisions(state, step, Retile::no, rejected)) {
        if (other.place == place) return std::move(other);
    }
    const bool is_for_host = rejected[kHostBoundary] > 0;
    if (is_for_host && place == Place::inlined && steps.dag().func(func).can_inline) {
        return decide_place(func, place);
    }
    return Rejection{is_for_host ? kHostBoundary : kHalideNesting};
}

std::vector<int64_t> listed_serials(const ListedSteps &steps, FuncId func) {
    const Func &data = steps.dag().func(func);
    const Stage &pure = steps.dag().stage(data.stages[0]);
    std::vector<int64_t> serial(data.dims.size(), 1);
    for (size_t l = 0; l < pure.loops.size(); ++l) {
        const auto dim = static_cast<size_t>(pure.loops[l].dim);
        serial[dim] = steps.size(steps.resolved.loop(data.stages[0], l).serial, 1);
    }
    return serial;
}

std::variant<Decision, Rejection> inside_kernel(const ListedSteps &steps, const State &state,
                                                FuncId func, Place place) {
    const Dag &dag = steps.dag();
    const std::vector<size_t> consumers = consumer_kernels(dag, state, func);
    if (consumers.size() != 1 || dag.func(func).is_output()) return Rejection{kHalideNesting};
    const std::vector<const Band *> bands =
        consumer_bands(dag, *state.nest.kernels[consumers[0]], func);
    Member member{func, place, {}, {}, MemberTile::given};
    if (place == Place::threads) {
        if (bands.size() != 1) return Rejection{kHalideNesting};
        member.site = bands[0]->stage;
        return steps.space.decision_of(state, member);
    }
    const BlockLoop around = common_loop(bands);
    if (place == Place::loop) {
        member.loop = around;
    } else if (!around.valid()) {
        member.loop = own_loop(dag, func, place);
    }
    if (place != Place::block && !member.loop.valid()) return Rejection{kHalideNesting};
    const std::string *tile = steps.text(steps.resolved.member_tile(func));
    if (tile != nullptr && *tile == "dealt") member.tile = MemberTile::cooperative;
    return steps.space.decision_of(state, member, listed_serials(steps, func));
}

}  // namespace

void read_place(const StepReader &reader, FuncId func, std::vector<Coordinate> &list) {
    const Place place = reader.state.nest.place(func);
    list.push_back(
        {reader.names.func(func), decision_kind::place, std::string(to_string(place)), {}});
    if (is_in_block(place)) read_member(reader, member_of(reader, func), list);
}

std::variant<Decision, RefusedStep> place_decision(const ListedSteps &steps, const State &state,
                                                   FuncId func) {
    const ResolvedList::Index coordinate = steps.resolved.place(func);
    if (!coordinate) {
        return RefusedStep{std::nullopt, "there is no decision where " +
                                             steps.dag().func(func).name + " is computed"};
    }
    const std::optional<Place> place = parse_place(*steps.text(coordinate));
    if (!place) return RefusedStep{coordinate, "there is no such place"};
    const ResolvedList::Index tile = steps.resolved.member_tile(func);
    if (!is_one_of(steps.text(tile), member_tile_values())) {
        return RefusedStep{tile, "there is no such way to share out its points"};
    }
    const auto decision = [&]() -> std::variant<Decision, Rejection> {
        if (!is_in_kernel(*place)) return outside_kernels(steps, state, func, *place);
        if (steps.space.freedom() != Freedom::full) return Rejection{kHalideNesting};
        return inside_kernel(steps, state, func, *place);
    }();
    if (const Rejection *no = std::get_if<Rejection>(&decision)) {
        return RefusedStep{coordinate, steps.text(*no)};
    }
    return std::get<Decision>(decision);
}

std::vector<DecisionValue> place_values() {
    std::vector<DecisionValue> values;
    for (Place place : kPlaces) values.push_back(std::string(to_string(place)));
    return values;
}

std::vector<DecisionValue> member_tile_values() {
    return {std::string("split"), std::string("dealt")};
}

std::vector<DecisionValue> member_serials(const SearchSpace &space, const Band &threads,
                                          size_t loop, const DecisionValue &own) {
    const int64_t points = threads.trips[loop] * threads.body.back()->trips[loop];
    std::set<int64_t> sizes{std::get<int64_t>(own)};
    const Stage &stage = space.dag().stage(threads.stage);
    const auto dim = static_cast<size_t>(stage.loops[loop].dim);
    for (int64_t s : member_serial_candidates(space.dag(), space.gpu(), stage.func, dim, points)) {
        sizes.insert(s);
    }
    return values_of(sizes);
}

}  // namespace autoschedule_gpu
