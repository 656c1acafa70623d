// Ctrl-C for tools that do long work: the first one asks, and what is at hand is finished and kept;
// the second ends the program at once.
#pragma once

namespace autoschedule_gpu {

// From here on, SIGINT and SIGTERM ask.
void catch_stop_signals();

bool stop_was_asked();

}  // namespace autoschedule_gpu
