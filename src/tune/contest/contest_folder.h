// The files that a contest leaves in its folder beside its runs: results.json with the runs and the
// curves for other programs, results.md with the tables, and index.html with tables and curves.
#pragma once

#include <string>
#include <vector>

#include "core/support/error.h"
#include "tune/contest/contest.h"

namespace autoschedule_gpu {

struct ContestHeader {
    std::string date = {}, command = {}, machine = {};
};

// Replaces all three as a whole. A contest without a complete run leaves none.
Status write_contest(const std::string &folder, const ContestHeader &header,
                     const ContestResult &result);

}  // namespace autoschedule_gpu
