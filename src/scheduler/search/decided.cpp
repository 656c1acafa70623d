#include "scheduler/search/decided.h"

#include <algorithm>

namespace autoschedule_gpu {

Decided::Decided(const SearchSpace &space, const State &state) {
    const Dag &dag = space.dag();
    of_.resize(dag.funcs.size());
    tilings_.resize(dag.stages.size());
    for (const Step &step : space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        const Place place = state.nest.place(step.func);
        if (place != Place::inlined && place != Place::root) continue;
        of_[step.func.index()] = {decide_place(step.func, place), {}, {}};
    }
    for (const KernelPtr &kernel : state.nest.kernels) {
        tilings_[kernel->stage.index()] = kernel->tiling;
        for (const Member &member : kernel->members) {
            OfFunc &decided = of_[member.func.index()].emplace();
            decided.member = member;
            decided.kernel = kernel->stage;
            if (!is_in_block(member.place)) continue;
            const std::span<const int64_t> serial = serial_of(dag, *kernel, member);
            decided.serial.assign(serial.begin(), serial.end());
        }
    }
}

void Decided::release_to(FuncId func, Place place) {
    release(func);
    places_.emplace_back(func, place);
}

void Decided::move_members(StageId from, StageId to, const Tiling &tiling) {
    for (auto &decided : of_) {
        if (decided && decided->kernel == from) decided->kernel = to;
    }
    tilings_[to.index()] = tiling;
}

void Decided::decide_as(const Decided &other, const Counterparts &counterparts) {
    for (const auto &[from, to] : counterparts.funcs()) {
        auto &decided = of_[to.index()] = other.of_[from.index()];
        if (!decided) continue;
        Member &member = decided->member;
        member.func = to;
        if (member.site.valid()) member.site = counterparts.stage(member.site);
        if (member.loop.valid()) member.loop.update = counterparts.stage(member.loop.update);
        if (decided->kernel.valid()) decided->kernel = counterparts.stage(decided->kernel);
    }
    for (const auto &[from, to] : counterparts.stages()) {
        tilings_[to.index()] = other.tilings_[from.index()];
    }
}

void Decided::keep_place(const Step &step, std::vector<Decision> &moves) const {
    if (step.kind != Step::Kind::place) return;
    const auto wanted = std::ranges::find(places_, step.func, &std::pair<FuncId, Place>::first);
    if (wanted == places_.end()) return;
    std::erase_if(moves, [&](const Decision &move) { return move.place != wanted->second; });
}

std::optional<Decision> Decided::decision(const SearchSpace &space, const State &state,
                                          const Step &step) const {
    if (!has(step.func)) return std::nullopt;
    if (step.kind == Step::Kind::tile) {
        const Tiling &tiling = tilings_[step.stage.index()];
        const bool at_root = state.nest.place(step.func) == Place::root;
        if (!at_root || tiling.empty()) return std::nullopt;
        const auto kernel = static_cast<size_t>(state.home[step.stage.index()]);
        return decide_tiling(step.func, kernel, tiling);
    }
    const OfFunc &decided = *of_[step.func.index()];
    if (is_in_kernel(decided.member.place)) return inside_kernel(space, state, step, decided);
    return decide_place(step.func, decided.member.place);
}

// Of the decisions that there are, the one for the same place, with the serial tile that was
// chosen. What a block was fitted to (search/fit_blocks.h) is no decision of a step.
std::optional<Decision> Decided::inside_kernel(const SearchSpace &space, const State &state,
                                               const Step &step, const OfFunc &decided) const {
    RuleCounts ignored{};
    const Member &member = decided.member;
    const auto is_kernel = [&](const Decision &other) {
        return state.nest.kernels[other.kernel]->stage == decided.kernel;
    };
    if (member.tile == MemberTile::fitted) {
        auto fitted = space.decision_of(state, member);
        Decision *found = std::get_if<Decision>(&fitted);
        return found != nullptr && is_kernel(*found) ? std::optional(std::move(*found))
                                                     : std::nullopt;
    }
    for (Decision &other : space.decisions(state, step, Retile::no, ignored)) {
        if (other.place != member.place || other.loop != member.loop) continue;
        if (other.site != member.site || other.tile != member.tile) continue;
        if (!is_kernel(other)) continue;
        if (is_in_block(member.place)) other.serial = decided.serial;
        return std::move(other);
    }
    return std::nullopt;
}

int Decided::funcs() const {
    return static_cast<int>(
        std::count_if(of_.begin(), of_.end(), [](const auto &d) { return d.has_value(); }));
}

}  // namespace autoschedule_gpu
