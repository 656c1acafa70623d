// Ctrl-C for tools that do long work: the first one asks the tool to finish and keep what it is
// doing; one that comes more than a second later ends the program at once. Within that second a
// signal is the same one again: a terminal sends it to a program that has started the tool as well,
// and that program hands it on.
#pragma once

namespace autoschedule_gpu {

// From now on, SIGINT and SIGTERM ask the tool to stop.
void catch_stop_signals();

bool stop_was_asked();

}  // namespace autoschedule_gpu
