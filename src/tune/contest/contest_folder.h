// The files that a contest leaves in its folder beside its runs: results.json with the runs and the
// curves for other programs, results.md with the tables, and index.html with tables and curves.
// Runs that failed are in all three.
#pragma once

#include <string>
#include <vector>

#include "core/support/error.h"
#include "tune/contest/contest.h"

namespace autoschedule_gpu {

struct ContestHeader {
    std::string date = {}, command = {}, machine = {};
};

// Replaces all three as a whole. A contest in which nothing has come out yet, not even a failure,
// leaves them as they are.
Status write_contest(const std::string &folder, const ContestHeader &header,
                     const ContestResult &result);

// What the runs themselves don't say of a contest, as far as an earlier call has written it.
struct EarlierReport {
    ContestHeader header = {};
    std::vector<FailedRun> failed = {};
};
EarlierReport earlier_report(const std::string &folder);

// Removes them, and the runs, of earlier calls.
void remove_contest(const std::string &folder);

}  // namespace autoschedule_gpu
