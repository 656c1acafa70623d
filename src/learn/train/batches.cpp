#include "learn/train/batches.h"

#include <numeric>
#include <utility>

#include "learn/train/shuffle.h"

namespace autoschedule_gpu {

std::vector<Step> random_steps(std::span<const size_t> schedules, size_t batch, Random random) {
    std::vector<Chunk> chunks;
    for (size_t pipeline = 0; pipeline < schedules.size(); ++pipeline) {
        std::vector<size_t> order(schedules[pipeline]);
        std::iota(order.begin(), order.end(), size_t{0});
        shuffle(order, random);
        const size_t parts = (order.size() + kChunkSchedules - 1) / kChunkSchedules;
        for (size_t part = 0; part < parts; ++part) {
            const auto bound = [&](size_t i) {
                return order.begin() + static_cast<std::ptrdiff_t>(order.size() * i / parts);
            };
            chunks.push_back({pipeline, {bound(part), bound(part + 1)}});
        }
    }
    shuffle(chunks, random);
    std::vector<Step> steps;
    size_t filled = batch;
    for (Chunk &chunk : chunks) {
        if (filled >= batch) {
            steps.emplace_back();
            filled = 0;
        }
        filled += chunk.schedules.size();
        steps.back().push_back(std::move(chunk));
    }
    return steps;
}

}  // namespace autoschedule_gpu
