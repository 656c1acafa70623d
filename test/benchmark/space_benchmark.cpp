// The search space (space/space.h): what a search does with every decision.
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "space/space.h"
#include "support/random.h"

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
        moves += subject.search.space.moves(at.state, at.step, Retile::yes, ignored).size();
    });
    using benchmark::Counter;
    state.counters["moves_per_second"] = Counter(static_cast<double>(moves), Counter::kIsRate);
}
BENCHMARK(space_moves)->Name("space/moves")->Apply(small_and_large);

struct Trial {
    const State *state;
    Move move;
};

// Moves of one kind, at random.
std::vector<Trial> trials(const Subject &subject, Move::Kind kind) {
    constexpr size_t kPerPosition = 16;
    Random random(1);
    std::vector<Trial> result;
    for (const Position &at : subject.positions) {
        RuleCounts ignored{};
        std::vector<Move> moves =
            subject.search.space.moves(at.state, at.step, Retile::yes, ignored);
        std::erase_if(moves, [kind](const Move &move) { return move.kind != kind; });
        for (size_t i = 0; i < std::min(kPerPosition, moves.size()); ++i) {
            result.push_back({&at.state, moves[random.below(moves.size())]});
        }
    }
    return result;
}

// One move per iteration, whether or not a rule rejects it.
void space_apply(benchmark::State &state, Move::Kind kind) {
    const Subject subject(static_cast<int>(state.range(0)));
    size_t rejected = 0;
    over_cases(state, trials(subject, kind), [&](const Trial &trial) {
        const auto applied = subject.search.space.apply(*trial.state, trial.move);
        rejected += std::holds_alternative<Rule>(applied);
    });
    state.counters["rejected_%"] =
        100.0 * static_cast<double>(rejected) / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(space_apply, inline, Move::Kind::compute_inline)
    ->Name("space/apply/inline")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, root, Move::Kind::compute_root)
    ->Name("space/apply/root")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, block, Move::Kind::compute_in_block)
    ->Name("space/apply/in_block")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, thread, Move::Kind::compute_in_thread)
    ->Name("space/apply/in_thread")
    ->Apply(small_and_large);
BENCHMARK_CAPTURE(space_apply, tile, Move::Kind::tile_root)
    ->Name("space/apply/tile")
    ->Apply(small_and_large);

}  // namespace
}  // namespace autoschedule_gpu
