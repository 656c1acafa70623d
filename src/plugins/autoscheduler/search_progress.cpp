#include "plugins/autoscheduler/search_progress.h"

#include <unistd.h>

#include <cstdio>

namespace autoschedule_gpu {

SearchProgress::SearchProgress(bool wanted) : on_(wanted && isatty(STDERR_FILENO)) {}

SearchProgress::~SearchProgress() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
}

void SearchProgress::operator()(double share) {
    if (share < last_share_) {
        watch_ = Stopwatch();
        last_ = 0;
    }
    last_share_ = share;
    const double elapsed = watch_.seconds();
    if (!on_ || elapsed < 2 || elapsed < last_ + 0.2) return;
    last_ = elapsed;
    shown_ = true;
    std::fprintf(stderr, "\r\033[KGPU autoscheduler: %3.0f %%, %.0f s, about %.0f s left",
                 100 * share, elapsed, elapsed * (1 - share) / share);
}

}  // namespace autoschedule_gpu
