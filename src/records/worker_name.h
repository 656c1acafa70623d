// Names of processes that lease jobs: "HOST:PID:START". A number that the system gives to another
// process later makes another name, for the time at which the process began is part of it.
#pragma once

#include <string>
#include <string_view>

namespace autoschedule_gpu {

// Of this machine since it was started, among machines of the same name too; of a container, if
// process numbers are its own. Without ':'.
std::string host_identity();

std::string own_worker_name();

// Whether the name is that of a process of this host (host_identity) which has not ended. A process
// that nobody has waited for yet has ended.
bool is_alive(const std::string &worker_name);

}  // namespace autoschedule_gpu
