// Pieces of work in an order, several done at once, each as if those before it changed nothing.
// Where one does, what was made after it is thrown away and made again. What comes of it does not
// depend on how many are done at once.
#pragma once

#include <algorithm>
#include <atomic>
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
// threads; `take(piece, made)` is called in order, by this thread, and says how to go on. At most
// `most` pieces are made before the first of them is taken: with more than there are threads, none
// waits for the others in its batch. None is begun once `changes(made)` has said, in any lane, that
// what comes after a piece is to be made again.
template <typename Work, typename Changes, typename Take>
void work_ahead(ThreadPool &pool, size_t pieces, size_t most, const Work &work,
                const Changes &changes, const Take &take) {
    using Made = decltype(work(size_t{0}, size_t{0}));
    for (size_t first = 0; first < pieces;) {
        std::vector<std::optional<Made>> made(std::min(pieces - first, most));
        std::atomic<size_t> next = 0;
        std::atomic<bool> changed = false;
        const size_t lanes = std::min(made.size(), static_cast<size_t>(pool.threads()));
        pool.for_each(lanes, [&](size_t lane) {
            while (!changed) {
                const size_t piece = next++;
                if (piece >= made.size()) break;
                made[piece] = work(first + piece, lane);
                if (changes(std::as_const(*made[piece]))) changed = true;
            }
        });
        for (std::optional<Made> &one : made) {
            if (!one) break;
            const GoOn on = take(first++, *std::move(one));
            if (on == GoOn::not_at_all) return;
            if (on == GoOn::with_redone) break;
        }
    }
}

// With one piece for each thread at once.
template <typename Work, typename Take>
void work_ahead(ThreadPool &pool, size_t pieces, const Work &work, const Take &take) {
    const auto changes = [](const auto &) { return false; };
    work_ahead(pool, pieces, static_cast<size_t>(pool.threads()), work, changes, take);
}

}  // namespace autoschedule_gpu
