// Names of processes that lease jobs: "HOST:PID:START". A number that the system gives to another
// process later makes another name, for the time at which the process began is part of it.
#pragma once

#include <string>
#include <string_view>

namespace autoschedule_gpu {

// Returns a name, without ':', that only this machine has, and only until it is started again; in a
// container that has process numbers of its own, only that container.
std::string host_identity();

std::string own_worker_name();

// True if the name is that of a process of this host (host_identity) which has not ended. A process
// that nobody has waited for yet has ended.
bool is_alive(const std::string &worker_name);

}  // namespace autoschedule_gpu
