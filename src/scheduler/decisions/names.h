// Names of what is decided, the same in every build of a pipeline (decision_list.h).
#pragma once

#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {

class Names {
public:
    explicit Names(const Dag &dag);

    const std::string &func(FuncId func) const { return funcs_[func.index()]; }
    std::string stage(StageId stage) const;
    std::string loop(StageId stage, size_t loop) const;
    // That the wrapper of a read would have.
    std::string wrapper(const WrappedRead &read) const;

private:
    const Dag &dag_;
    std::vector<std::string> funcs_;               // by FuncId
    std::vector<std::vector<std::string>> loops_;  // by StageId
};

}  // namespace autoschedule_gpu
