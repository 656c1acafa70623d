// What is the scheduler's to place among Funcs that users have scheduled: their wrappers, and what
// has no other place than inline in them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "halide/read/user_schedule.h"
#include "halide/read/user_wrappers.h"

namespace autoschedule_gpu::reading {

struct UserFuncs {
    const UserSchedules &theirs;
    const std::map<std::string, UserWrapper> &wrappers;
    const std::vector<std::string> &order;  // of Halide's Funcs, producers first
    const std::map<std::string, FuncId> &ids;
};

// Returns an error, as a sentence for the user, if some of what users have scheduled can't be kept
// as it is; else nothing.
std::string fit_around_users(const UserFuncs &users, Dag &dag);

}  // namespace autoschedule_gpu::reading
