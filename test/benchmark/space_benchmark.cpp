// The search space (scheduler/space/space.h): what a search does with every decision.
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "core/support/random.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {
namespace {

using example::Position;
using example::Subject;

// One listing of the moves of a state per iteration.
void space_moves(benchmark::State &state) {
    const Subject subject(static_cast<int>(state.range(0)));
    size_t moves = 0;
    over_cases(state, subject.positions, [&](const Position &at) {
        RuleCounts ignored{};
        moves += subject.search.space.decisions(at.state, at.step, Retile::yes, ignored).size();
    });
    using benchmark::Counter;
    state.counters["moves_per_second"] = Counter(static_cast<double>(moves), Counter::kIsRate);
}
BENCHMARK(space_moves)->Name("space/moves")->Apply(small_and_large);

struct Trial {
    const State *state;
    Decision decision;
};

// Moves of one kind, at random.
std::vector<Trial> trials(const Subject &subject, Place place) {
    constexpr size_t kPerPosition = 16;
    Random random(1);
    std::vector<Trial> result;
    for (const Position &at : subject.positions) {
        RuleCounts ignored{};
        std::vector<Decision> moves =
            subject.search.space.decisions(at.state, at.step, Retile::yes, ignored);
        std::erase_if(moves, [place](const Decision &decision) {
            return decision.place != place || is_nothing(decision);
        });
        for (size_t i = 0; i < std::min(kPerPosition, moves.size()); ++i) {
            result.push_back({&at.state, moves[random.below(moves.size())]});
        }
    }
    return result;
}

// One move per iteration, whether or not a rule rejects it.
void space_apply(benchmark::State &state, Place place) {
    const Subject subject(static_cast<int>(state.range(0)));
    size_t rejected = 0;
    over_cases(state, trials(subject, place), [&](const Trial &trial) {
        const auto applied = subject.search.space.apply(*trial.state, trial.decision);
        rejected += std::holds_alternative<Rejection>(applied);
    });
    state.counters["rejected_%"] =
        100.0 * static_cast<double>(rejected) / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(space_apply, inline, Place::inlined)
    ->Name("space/apply/inline")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, root, Place::root)->Name("space/apply/root")->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, block, Place::block)
    ->Name("space/apply/in_block")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, thread, Place::threads)
    ->Name("space/apply/in_thread")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, tile, Place::undecided)
    ->Name("space/apply/tile")
    ->Apply(small_and_large);

}  // namespace
}  // namespace autoschedule_gpu
