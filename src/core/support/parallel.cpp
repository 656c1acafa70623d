#include "core/support/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <latch>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace autoschedule_gpu {

namespace {

// How many threads there can be at once, this one included, up to `wanted`. They are made to find
// out: a system that allows fewer tells only then, and TBB does not recover from it.
int possible_threads(int wanted) {
    std::latch counted(1);
    std::vector<std::jthread> others;
    try {
        others.reserve(static_cast<size_t>(std::max(0, wanted - 1)));
        while (static_cast<int>(others.size()) + 1 < wanted) {
            others.emplace_back([&] { counted.wait(); });
        }
    } catch (const std::system_error &) {
        // Those that were made are all that there can be.
    }
    counted.count_down();
    return static_cast<int>(others.size()) + 1;
}

}  // namespace

struct ThreadPool::Arena {
    explicit Arena(int threads) : handle(oneapi::tbb::attach{}), arena(threads) {
        // More threads than cores are legal; without leave, TBB prints a warning about them. Fewer
        // are not announced: that would slow down whoever else uses TBB in this process.
        using Control = oneapi::tbb::global_control;
        if (threads > oneapi::tbb::info::default_concurrency()) {
            leave.emplace(Control::max_allowed_parallelism, static_cast<size_t>(threads));
        }
    }
    oneapi::tbb::task_scheduler_handle handle;
    std::optional<oneapi::tbb::global_control> leave;
    oneapi::tbb::task_arena arena;
};

int threads_for(int wanted) {
    return wanted > 0 ? wanted : oneapi::tbb::info::default_concurrency();
}

ThreadPool::ThreadPool(int threads) : threads_(possible_threads(threads_for(threads))) {
    if (threads_ > 1) arena_ = new Arena(threads_);
}

ThreadPool::~ThreadPool() {
    if (arena_ == nullptr) return;
    // Joins the workers: a library must not leave threads behind in somebody's process. Refused
    // (false) when the process itself uses the scheduler; then they are not ours to stop.
    arena_->arena.terminate();
    oneapi::tbb::finalize(arena_->handle, std::nothrow);
    delete arena_;
}

void ThreadPool::for_each(size_t count, const std::function<void(size_t)> &body) {
    if (arena_ == nullptr || count < 2) {
        for (size_t i = 0; i < count; ++i) body(i);
        return;
    }
    arena_->arena.execute([&] { oneapi::tbb::parallel_for(size_t{0}, count, body); });
}

}  // namespace autoschedule_gpu
