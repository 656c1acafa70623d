#include "common/stop_signal.h"

#include <csignal>

namespace autoschedule_gpu {

namespace {

volatile std::sig_atomic_t asked = 0;

void ask(int signal) {
    asked = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_stop_signals() {
    std::signal(SIGINT, ask);
    std::signal(SIGTERM, ask);
}

bool stop_was_asked() {
    return asked != 0;
}

}  // namespace autoschedule_gpu
