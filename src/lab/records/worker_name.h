// Names of processes that lease jobs: "HOST:PID:START". The start time is part of the name because
// the system may give the same number to another process later.
#pragma once

#include <string>
#include <string_view>

namespace autoschedule_gpu {

// Returns a name, without ':', that belongs to this machine alone until it is restarted; in a
// container with process numbers of its own, to that container alone.
std::string host_identity();

// Returns the name of this process.
std::string own_worker_name();

// Returns true if the name is that of a running process of this host (host_identity). A process
// that has ended but that nobody has waited for counts as ended.
bool is_alive(const std::string &worker_name);

}  // namespace autoschedule_gpu
