// A facade over the thread pool: run independent pieces of work, each exactly once.
// The pieces must not share mutable state; results go into slots by index, so that the outcome
// does not depend on the number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace autoschedule_gpu {

// As many threads as are wanted; 0: one per core that this process may use.
int threads_for(int wanted);

// Worker threads for one piece of work; they exist only as long as this object.
class ThreadPool {
public:
    // threads_for(threads), or, where the system does not allow so many, as many as it allows.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;

    int threads() const { return threads_; }

    // Calls body(i) for every i in [0, count). An exception of a body is rethrown here, after the
    // others have finished or been skipped. A body may call it again: threads that have nothing
    // else to do then help with that.
    void for_each(size_t count, const std::function<void(size_t)> &body);

private:
    struct Arena;
    Arena *arena_ = nullptr;
    int threads_ = 1;
    std::atomic<int> busy_ = 0;  // threads that take pieces
};

}  // namespace autoschedule_gpu
