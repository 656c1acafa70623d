#include "common/stop_signal.h"

#include <time.h>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace autoschedule_gpu {

namespace {

constexpr int64_t kSameSignalMs = 1000;

// When the tool was first asked, in milliseconds of a clock that never goes back; 0: it was not.
std::atomic<int64_t> asked_at_ms{0};
static_assert(std::atomic<int64_t>::is_always_lock_free, "a handler may use nothing else");

// clock_gettime is among the functions that a handler may call.
int64_t now_ms() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000 + 1;
}

void ask(int signal) {
    int64_t first_ms = 0;
    const int64_t at_ms = now_ms();
    if (asked_at_ms.compare_exchange_strong(first_ms, at_ms)) return;
    if (at_ms - first_ms <= kSameSignalMs) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void catch_stop_signals() {
    std::signal(SIGINT, ask);
    std::signal(SIGTERM, ask);
}

bool stop_was_asked() {
    return asked_at_ms.load() != 0;
}

}  // namespace autoschedule_gpu
