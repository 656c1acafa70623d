// A line on stderr for searches longer than two seconds, if somebody is watching.
#pragma once

#include "support/stopwatch.h"

namespace autoschedule_gpu {

class SearchProgress {
public:
    SearchProgress();
    ~SearchProgress();
    SearchProgress(const SearchProgress &) = delete;
    SearchProgress &operator=(const SearchProgress &) = delete;

    void operator()(double share);  // of the search that is done, above 0 and up to 1

private:
    bool on_, shown_ = false;
    double last_ = 0;
    Stopwatch watch_;
};

}  // namespace autoschedule_gpu
