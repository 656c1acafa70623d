#include "core/support/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <latch>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace autoschedule_gpu {

namespace {

// How many threads there can be at once, this one included, up to `wanted`. They are made to find
// out: a system that allows fewer tells only then, and TBB does not recover from it.
int possible_threads(int wanted) {
    std::latch counted(1);
    std::vector<std::jthread> others;
    // Threads that wait end before they are waited for, even where there is no memory for more.
    struct CountDown {
        std::latch &latch;
        ~CountDown() { latch.count_down(); }
    } const at_end{counted};
    try {
        others.reserve(static_cast<size_t>(std::max(0, wanted - 1)));
        while (static_cast<int>(others.size()) + 1 < wanted) {
            others.emplace_back([&] { counted.wait(); });
        }
    } catch (const std::system_error &) {
        // Those that were made are all that there can be.
    }
    return static_cast<int>(others.size()) + 1;
}

// In a program that loads the C++ library late, a thread is given the memory of its exceptions when
// it throws the first. Where all is used up by then, the system ends the process instead of
// throwing std::bad_alloc; so it is asked for early, and only where there is some. Returns whether
// the thread can throw now.
bool prepare_to_throw() {
    constexpr size_t kMoreThanThat = 16 << 10;
    void *const room = std::malloc(kMoreThanThat);
    if (room == nullptr) return false;
    std::free(room);
    const volatile int thrown = std::uncaught_exceptions();
    static_cast<void>(thrown);
    return true;
}

// Makes the workers begin, where TBB would make each when it has work for it, and end the process
// if there is no memory for it then. Throws std::bad_alloc if there is none now. Not all of them
// may come: TBB shares its workers with others in this process.
void start_workers(oneapi::tbb::task_arena &arena, int threads) {
    using Clock = std::chrono::steady_clock;
    constexpr size_t kBytesOfAThread = 64 << 10;
    constexpr std::chrono::milliseconds kLongest{100};
    ::operator delete(::operator new(static_cast<size_t>(threads) * kBytesOfAThread));
    std::atomic<int> begun = 0;
    std::atomic<bool> all_can_throw = true;
    const Clock::time_point end = Clock::now() + kLongest;
    arena.execute([&] {
        const auto begin = [&](int) {
            if (!prepare_to_throw()) all_can_throw = false;
            ++begun;
            while (begun < threads && Clock::now() < end) std::this_thread::yield();
        };
        oneapi::tbb::parallel_for(0, threads, begin, oneapi::tbb::simple_partitioner{});
    });
    if (!all_can_throw) throw std::bad_alloc();
}

// Whose pieces this thread takes.
thread_local const ThreadPool *inside = nullptr;

// Pieces of work that threads take one after the other. TBB sees none of them and none of their
// exceptions: for either it needs memory, and where there is none it ends the process.
class Pieces {
public:
    Pieces(size_t count, int threads, const std::function<void(size_t)> &body)
        : count_(count),
          at_once_(std::max<size_t>(1, count / (kTurns * static_cast<size_t>(threads)))),
          body_(body) {}

    // Until none is left, or one has failed.
    void take_all() noexcept {
        while (!failed_) {
            const size_t first = next_.fetch_add(at_once_);
            if (first >= count_) return;
            try {
                prepare_to_throw();  // of a worker that began late
                for (size_t i = first; i < std::min(first + at_once_, count_); ++i) body_(i);
            } catch (...) {
                if (!failed_.exchange(true)) why_ = std::current_exception();
            }
        }
    }

    // What the first that failed has thrown. To be called when no thread takes pieces any more.
    void rethrow() const {
        if (why_) std::rethrow_exception(why_);
    }

private:
    // So many times each thread comes for more: seldom, and yet all end at about the same time.
    static constexpr size_t kTurns = 16;

    const size_t count_, at_once_;
    const std::function<void(size_t)> &body_;
    std::atomic<size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::exception_ptr why_;
};

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
    ~Arena() {
        // Joins the workers: a library must not leave threads behind in somebody's process. Refused
        // (false) when the process itself uses the scheduler; then they are not ours to stop.
        arena.terminate();
        oneapi::tbb::finalize(handle, std::nothrow);
    }
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    oneapi::tbb::task_scheduler_handle handle;
    std::optional<oneapi::tbb::global_control> leave;
    oneapi::tbb::task_arena arena;
};

int threads_for(int wanted) {
    return wanted > 0 ? wanted : oneapi::tbb::info::default_concurrency();
}

ThreadPool::ThreadPool(int threads) : threads_(possible_threads(threads_for(threads))) {
    prepare_to_throw();
    if (threads_ < 2) return;
    auto arena = std::make_unique<Arena>(threads_);
    start_workers(arena->arena, threads_);
    arena_ = arena.release();
}

ThreadPool::~ThreadPool() {
    delete arena_;
}

void ThreadPool::for_each(size_t count, const std::function<void(size_t)> &body) {
    // To ask TBB for help that cannot come takes some microseconds.
    if (arena_ == nullptr || count < 2 || busy_ >= threads_) {
        for (size_t i = 0; i < count; ++i) body(i);
        return;
    }
    Pieces pieces(count, threads_, body);
    const auto take_pieces = [&](int) {
        const ThreadPool *const outside = std::exchange(inside, this);
        busy_ += outside != this;
        pieces.take_all();
        busy_ -= outside != this;
        inside = outside;
    };
    const auto take_all = [&] {
        oneapi::tbb::parallel_for(0, threads_, take_pieces, oneapi::tbb::simple_partitioner{});
    };
    const bool is_nested = inside == this;
    arena_->arena.execute([&] {
        // Who waits in a body for the pieces of another call helps with these alone: with anything
        // else that it began, that body would wait for its end. Whoever is idle helps with all.
        if (is_nested) {
            oneapi::tbb::this_task_arena::isolate(take_all);
        } else {
            take_all();
        }
    });
    pieces.rethrow();
}

}  // namespace autoschedule_gpu
