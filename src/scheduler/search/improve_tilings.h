// A last look at the tilings of a complete state: descent over the tile of one loop at a time, or
// over those of two that trade points, kernel by kernel, since a kernel's cost depends on nothing
// outside it. What is computed in a kernel stays in it.
#pragma once

#include <vector>

#include "scheduler/search/pass.h"

namespace autoschedule_gpu {

// Of a descent, over tilings or over what fits a block: those that go on for longer gain next to
// nothing.
inline constexpr int kMostRounds = 6;

// Whether one loop is tiled otherwise; or two, with the same points per thread and threads in all.
bool are_neighbours(const Tiling &a, const Tiling &b);

// Never costs more than `state`. Stops early when the time is up.
State improve_tilings(SearchParts &parts, State state);

// The same for one kernel, by its index in the nest.
State improve_tiling(SearchParts &parts, State state, size_t kernel);

// The same from the best of all tilings, too, unless to look at these would take long: where a
// thread keeps what several of its points read, the tiling that is worth most is no neighbour of
// the one that was best without.
State improve_tiling_from_all(SearchParts &parts, const State &state, size_t kernel);

// With fewer points per thread in that kernel: of each shape that a thread's tile can have, the
// cheapest, though it may cost more than `state`; the cheapest first.
std::vector<State> with_fewer_points(SearchParts &parts, const State &state, size_t kernel);

// With another tiling of that kernel: of each shape that a thread's tile can have and each number of
// threads, the cheapest, as above. None where to look at all tilings would take long.
std::vector<State> with_other_tiles(SearchParts &parts, const State &state, size_t kernel);

// With at most half as many, as cheaply as that can be. As it is, if no tiling has so few.
State with_half_the_points(SearchParts &parts, State state, size_t kernel);

// With tiles of that kernel that nothing cuts off at the ends of its loops, at the estimates: with
// fewer threads along the loops where tiles are cut, or with as many along another loop instead.
// The cheapest first; they may cost more than `state`.
std::vector<State> with_whole_tiles(SearchParts &parts, const State &state, size_t kernel);

// Whether a thread has as many points along every loop as in the other tiling, or more.
bool holds_tile_of(const Tiling &tiling, const Tiling &other);

// With one loop of that kernel tiled otherwise, or two that trade, or with other points per thread
// of a Func in its block: so many states at most, of each kind the cheapest first. Each makes a
// thread execute something else (scheduler/nest/thread_code.h). They may cost more than `state`.
std::vector<State> neighbours(SearchParts &parts, const State &state, size_t kernel, size_t most);

}  // namespace autoschedule_gpu
