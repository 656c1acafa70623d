#include "lab/build/constraints.h"

#include <array>
#include <string_view>

namespace autoschedule_gpu {

namespace {

struct Limit {
    std::string_view what;
    int64_t found;
    int64_t limit;
};

int64_t threads_of_block(const Launch &launch) {
    int64_t product = 1;
    for (const int64_t threads : launch.threads) {
        if (threads <= 0) continue;
        if (__builtin_mul_overflow(product, threads, &product)) return INT64_MAX;
    }
    return product;
}

std::array<Limit, 8> limits_of(const Launch &launch, const GpuModel &model) {
    return {{{"threads in a block", threads_of_block(launch), model.max_threads_per_block},
             {"threads in dimension x of a block", launch.threads[0], model.max_threads_x},
             {"threads in dimension y of a block", launch.threads[1], model.max_threads_y},
             {"threads in dimension z of a block", launch.threads[2], model.max_threads_z},
             {"blocks in dimension x", launch.blocks[0], model.max_blocks_x},
             {"blocks in dimension y", launch.blocks[1], model.max_blocks_y},
             {"blocks in dimension z", launch.blocks[2], model.max_blocks_z},
             {"bytes of shared memory", launch.shared_bytes.value_or(0),
              model.shared_bytes_per_block}}};
}

}  // namespace

std::vector<std::string> broken_limits(const std::vector<Launch> &launches, const GpuModel &model) {
    std::vector<std::string> broken;
    for (const Launch &launch : launches) {
        for (const Limit &limit : limits_of(launch, model)) {
            if (limit.found <= limit.limit) continue;
            broken.push_back("the kernel " + launch.kernel + " has " + std::to_string(limit.found) +
                             " " + std::string(limit.what) + ", " + model.name + " takes " +
                             std::to_string(limit.limit));
        }
    }
    return broken;
}

}  // namespace autoschedule_gpu
