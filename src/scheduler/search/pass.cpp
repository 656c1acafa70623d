#include "scheduler/search/pass.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "core/support/hash.h"
#include "scheduler/nest/structure.h"
#include "scheduler/rules/named_rules.h"
#include "scheduler/search/buckets.h"

namespace autoschedule_gpu {

namespace {

// Without sampling, the states of the beam for which kernels are also tried with other tilings.
constexpr uint32_t kRetiledParents = 4;

// Options of a step that take no longer than a few draws from each of many buckets.
constexpr size_t kFewOptions = 4096;

// States that go on where all steps that are left are decided: what is to come hardly ever changes
// their order.
constexpr size_t kDecidedBeam = 4;

// What a state in the queue costs more for every state of its structure that was taken before it.
constexpr double kSamePenalty = 0.03;

}  // namespace

Pass::Pass(SearchParts &parts, int depth, Coverage look)
    : parts_(parts),
      depth_(std::min(depth, kDeepestStructure)),
      deeper_(std::min(depth + 1, kDeepestStructure)),
      places_(std::min(depth, kDeepestPlaces)),
      look_(look),
      random_(Random(parts.options.seed).fork(static_cast<uint64_t>(depth))) {
    const std::vector<Step> &steps = parts.space.steps();
    for (size_t i = 0; i < steps.size(); ++i) {
        if (!parts.decided.has(steps[i].func)) free_steps_ = i + 1;
    }
}

Pass::Outcome Pass::run(State start, size_t first) {
    parts_.book.begin_pass();
    std::vector<Entry> beam(1);
    beam[0].state = std::move(start);
    Outcome outcome;
    outcome.steps = first;
    const size_t steps = parts_.space.steps().size();
    for (; outcome.steps < steps && !parts_.time_is_up(); ++outcome.steps) {
        std::vector<Entry> next = advance(beam, outcome.steps);
        // Every tiling may exceed the grid; the default one then stays.
        if (!next.empty()) beam = std::move(next);
        ++parts_.report.steps;
        if (parts_.options.progress) {
            const double done = double(outcome.steps + 1) / double(steps);
            const double passes = parts_.report.sampling ? parts_.options.limits.num_passes : 1;
            parts_.options.progress((double(parts_.report.passes) + done) / passes);
        }
    }
    outcome.complete = outcome.steps == steps;
    for (Entry &entry : beam) {
        if (outcome.complete && entry.line != StructureBook::kStart) {
            parts_.book.finish(entry.line, entry.state.cost);
        }
        outcome.states.push_back(std::move(entry.state));
    }
    return outcome;
}

std::vector<Pass::Entry> Pass::advance(std::vector<Entry> &beam, size_t step) {
    list(beam, step, options_);
    std::vector<Candidate> candidates = apply(beam, options_, step);
    parts_.report.states_scored += candidates.size();
    score(beam, candidates);
    return select(beam, candidates, step);
}

void Pass::list(const std::vector<Entry> &beam, size_t step, Options &options) {
    const PhaseTimer timer(parts_.report.times.enumerate);
    options.places.clear();
    options.moves.resize(beam.size());
    options.decided.resize(beam.size());
    std::vector<RuleCounts> rejected(beam.size());
    parts_.pool.for_each(beam.size(), [&](size_t i) {
        rejected[i] = {};
        options.moves[i].clear();
        options.decided[i] =
            list_decisions(beam[i].state, parts_.space.steps()[step], static_cast<uint32_t>(i),
                           options.moves[i], rejected[i]);
    });
    size_t listed = 0;
    for (const std::vector<Decision> &moves : options.moves) listed += moves.size();
    options.places.reserve(listed);
    parts_.report.states_enumerated += listed;
    for (uint32_t i = 0; i < beam.size(); ++i) {
        record(rejected[i]);
        const std::vector<Decision> &moves = options.moves[i];
        RuleCounts dropped_here{};
        Random random = random_.fork(step).fork(i);
        for (uint32_t m = 0; m < moves.size(); ++m) {
            const bool last_chance = m + 1 == moves.size() &&
                                     (options.places.empty() || options.places.back().parent != i);
            if (!last_chance && dropped(moves[m], random)) {
                dropped_here.count(kRandomDropout);
                continue;
            }
            options.places.push_back({i, m});
        }
        record(dropped_here);
    }
}

// What is decided for the step leaves one move, and there is a successor already.
std::optional<Successor> Pass::list_decisions(const State &state, const Step &step, uint32_t slot,
                                              std::vector<Decision> &moves,
                                              RuleCounts &rejected) const {
    if (std::optional<Decision> decided = parts_.decided.decision(parts_.space, state, step)) {
        // Legal where it was decided; other Funcs may have been elsewhere then.
        auto applied = parts_.space.apply(state, *decided);
        if (Successor *successor = std::get_if<Successor>(&applied)) {
            moves.push_back(std::move(*decided));
            return std::move(*successor);
        }
    }
    const bool retile = look_ == Coverage::at_drawn || slot < kRetiledParents;
    parts_.space.list_decisions(state, step, retile ? Retile::yes : Retile::no, moves, rejected);
    parts_.decided.keep_place(step, moves);
    return std::nullopt;
}

// The last resort is never dropped.
bool Pass::dropped(const Decision &move, Random &random) const {
    const int kept = parts_.options.random_dropout;
    if (kept >= 100 || move.place == Place::root) return false;
    return random.below(100) >= static_cast<uint64_t>(kept);
}

// From those of the parent and the kernels that changed.
Pass::Structures Pass::structures_after(const Entry &parent, const Successor &successor) const {
    Structures after = parent.structures;
    const auto add = [&](const Kernel &kernel, uint64_t sign) {
        const Hasher at = structure_without_tiling(kernel, depth_);
        const auto down_to = [&](int depth) { return structural_hash(at, kernel.tiling, depth); };
        after.now += sign * down_to(depth_);
        after.deeper += sign * (depth_ == 1 ? structural_hash(kernel, deeper_) : down_to(deeper_));
        after.places += sign * down_to(places_);
    };
    const std::vector<KernelPtr> &before = parent.state.nest.kernels;
    for (const KernelChange &change : successor.changes) {
        if (change.index < before.size()) add(*before[change.index], ~uint64_t{0});
        add(*change.kernel, 1);
    }
    return after;
}

uint64_t Pass::structure_met(const Entry &parent, const Decision &move) const {
    if (!is_in_kernel(move.place) && !is_tiling(move)) return parent.structures.now;
    return Hasher(parent.structures.places)
        .add(structural_hash(*parent.state.nest.kernels[move.kernel], depth_))
        .value();
}

// The bucket of every option. Neighbours mostly meet the same structure.
std::vector<uint64_t> Pass::bucket_keys(const std::vector<Entry> &beam,
                                        const Options &options) const {
    std::vector<uint64_t> keys(options.places.size());
    parts_.pool.for_each(beam.size(), [&](size_t parent) {
        const auto own =
            std::ranges::equal_range(options.places, parent, {}, &Options::Place::parent);
        const Decision *before = nullptr;
        Hasher of_any_tiling;
        for (const Options::Place &place : own) {
            const Decision &move = options.move(place);
            if (before == nullptr || !differ_in_tilings_alone(move, *before)) {
                of_any_tiling = bucket_of_any_tiling(structure_met(beam[parent], move), move);
            }
            before = &move;
            keys[static_cast<size_t>(&place - options.places.data())] =
                bucket_of(of_any_tiling, move, depth_);
        }
    });
    return keys;
}

// The drawn options that are legal. Illegal ones are replaced by the next of their bucket.
std::vector<Pass::Candidate> Pass::apply(const std::vector<Entry> &beam, const Options &options,
                                         size_t step) {
    const PhaseTimer timer(parts_.report.times.apply);
    const size_t listed = options.places.size();
    const bool all =
        look_ == Coverage::at_all || (look_ == Coverage::at_all_if_few && listed <= kFewOptions);
    const std::vector<Bucket> buckets =
        all ? all_options(listed) : draw_buckets(bucket_keys(beam, options), random_.fork(step));
    std::vector<std::vector<Candidate>> found(buckets.size());
    std::vector<RuleCounts> rejected(buckets.size());
    parts_.pool.for_each(buckets.size(), [&](size_t b) {
        rejected[b] = {};
        const Bucket &bucket = buckets[b];
        const size_t tries = std::min(bucket.tries, bucket.options.size());
        for (size_t i = 0; i < tries && found[b].size() < bucket.draws; ++i) {
            const Options::Place option = options.places[bucket.options[i]];
            const std::optional<Successor> &decided = options.decided[option.parent];
            auto applied =
                decided ? *decided
                        : parts_.space.apply(beam[option.parent].state, options.move(option));
            if (const Rejection *no = std::get_if<Rejection>(&applied)) {
                rejected[b].count(no->rule);
                continue;
            }
            Candidate &candidate = found[b].emplace_back();
            candidate.parent = option.parent;
            candidate.successor = std::get<Successor>(std::move(applied));
            candidate.structures = structures_after(beam[option.parent], candidate.successor);
            candidate.order = bucket.options[i];
        }
    });
    std::vector<Candidate> candidates;
    for (size_t b = 0; b < buckets.size(); ++b) {
        record(rejected[b]);
        std::move(found[b].begin(), found[b].end(), std::back_inserter(candidates));
    }
    return candidates;
}

void Pass::score(const std::vector<Entry> &beam, std::vector<Candidate> &candidates) {
    const PhaseTimer timer(parts_.report.times.evaluate);
    std::vector<KernelPtr> kernels;
    for (const Candidate &candidate : candidates) {
        for (const KernelChange &change : candidate.successor.changes) {
            kernels.push_back(change.kernel);
        }
    }
    std::vector<double> costs(kernels.size());
    parts_.costs.compute(kernels, costs);
    size_t next = 0;
    for (Candidate &candidate : candidates) {
        const Entry &parent = beam[candidate.parent];
        candidate.cost = parent.state.cost;
        for (const KernelChange &change : candidate.successor.changes) {
            candidate.costs.push_back(costs[next]);
            candidate.cost += costs[next++];
            if (change.index < parent.state.kernel_costs.size()) {
                candidate.cost -= parent.state.kernel_costs[change.index];
            }
        }
    }
}

size_t Pass::beam_size_after(size_t step) const {
    const size_t size = static_cast<size_t>(parts_.options.limits.beam_size);
    return step < free_steps_ ? size : std::min(size, kDecidedBeam);
}

// The best different states. With sampling, the queue puts those back whose structure is known to
// be bad, or has been taken already (§4.5).
std::vector<Pass::Entry> Pass::select(std::vector<Entry> &beam,
                                      const std::vector<Candidate> &candidates, size_t step) {
    const PhaseTimer timer(parts_.report.times.select);
    std::unordered_map<uint64_t, int> taken;  // by structure
    const auto penalised = [&](const Candidate &candidate) {
        if (look_ != Coverage::at_drawn) return candidate.cost;
        const auto same = taken.find(candidate.structures.now);
        const double crowd = same == taken.end() ? 0 : kSamePenalty * same->second;
        return candidate.cost * parts_.book.penalty(step, candidate.structures.now) * (1 + crowd);
    };
    struct Waiting {
        double cost;
        size_t index;
    };
    const auto later = [&](const Waiting &a, const Waiting &b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        return candidates[a.index].order > candidates[b.index].order;
    };
    std::priority_queue<Waiting, std::vector<Waiting>, decltype(later)> queue(later);
    for (size_t i = 0; i < candidates.size(); ++i) queue.push({penalised(candidates[i]), i});

    std::vector<Chosen> chosen;
    std::unordered_set<uint64_t> seen;
    const size_t most = beam_size_after(step);
    while (!queue.empty() && chosen.size() < most) {
        const Waiting waiting = queue.top();
        queue.pop();
        const Candidate &candidate = candidates[waiting.index];
        if (const double now = penalised(candidate); now > waiting.cost) {
            queue.push({now, waiting.index});
            continue;
        }
        if (!seen.insert(id_after(beam[candidate.parent].state, candidate.successor)).second) {
            continue;
        }
        ++taken[candidate.structures.now];
        chosen.push_back({&candidate, StructureBook::kStart});
        if (look_ != Coverage::at_drawn) continue;
        chosen.back().line =
            parts_.book.enter(beam[candidate.parent].line, step, candidate.structures.deeper);
    }
    return make(beam, chosen);
}

// The states of the next beam. Each is made of its parent, which its last child takes over: a state
// has a word for every stage of the pipeline.
std::vector<Pass::Entry> Pass::make(std::vector<Entry> &beam,
                                    const std::vector<Chosen> &chosen) const {
    std::vector<int> children(beam.size(), 0);
    for (const auto &[candidate, line] : chosen) ++children[candidate->parent];
    std::vector<Entry> next;
    next.reserve(chosen.size());
    for (const auto &[candidate, line] : chosen) {
        State &parent = beam[candidate->parent].state;
        const bool last = --children[candidate->parent] == 0;
        State state = materialise(parts_.space.dag(), last ? std::move(parent) : parent,
                                  candidate->successor, candidate->costs);
        next.push_back({std::move(state), candidate->structures, line});
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const Entry &a, const Entry &b) { return a.state.cost < b.state.cost; });
    return next;
}

void Pass::record(const RuleCounts &rejected) {
    parts_.report.rejections.add(rejected);
    parts_.report.states_rejected += rejected.total();
}

}  // namespace autoschedule_gpu
