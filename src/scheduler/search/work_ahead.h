// Pieces of work in an order, several done at once, each as if those before it changed nothing.
// Where one does, what was made after it is thrown away and made again. What comes of it does not
// depend on how many are done at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/support/parallel.h"

namespace autoschedule_gpu {

enum class GoOn : uint8_t {
    with_next,    // nothing has changed
    with_redone,  // what comes after it is to be made again
    not_at_all
};

// `work(piece, lane)` makes a piece, beside those in other lanes, which are fewer than the pool's
// threads; `take(piece, made)` is called in order, by this thread, and says how to go on.
template <typename Work, typename Take>
void work_ahead(ThreadPool &pool, size_t pieces, const Work &work, const Take &take) {
    using Made = decltype(work(size_t{0}, size_t{0}));
    for (size_t first = 0; first < pieces;) {
        std::vector<std::optional<Made>> made(
            std::min(pieces - first, static_cast<size_t>(pool.threads())));
        pool.for_each(made.size(), [&](size_t lane) { made[lane] = work(first + lane, lane); });
        for (std::optional<Made> &one : made) {
            const GoOn on = take(first++, *std::move(one));
            if (on == GoOn::not_at_all) return;
            if (on == GoOn::with_redone) break;
        }
    }
}

}  // namespace autoschedule_gpu
