// A line on stderr for searches longer than two seconds, if somebody is watching.
#pragma once

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

class SearchProgress {
public:
    explicit SearchProgress(bool wanted);
    ~SearchProgress();
    SearchProgress(const SearchProgress &) = delete;
    SearchProgress &operator=(const SearchProgress &) = delete;

    // `share` of the search is done, above 0 and up to 1. One that is less than the last is of
    // another search, which begins with it.
    void operator()(double share);

private:
    bool on_, shown_ = false;
    double last_ = 0, last_share_ = 0;
    Stopwatch watch_;
};

}  // namespace autoschedule_gpu
