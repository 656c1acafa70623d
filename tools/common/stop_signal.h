// Ctrl-C for tools that do long work: the first one asks the tool to finish and keep what it is
// doing; the second ends the program at once.
#pragma once

namespace autoschedule_gpu {

// From now on, SIGINT and SIGTERM ask the tool to stop.
void catch_stop_signals();

bool stop_was_asked();

}  // namespace autoschedule_gpu
