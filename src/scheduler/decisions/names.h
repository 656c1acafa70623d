// Names of what is decided, the same in every build of a pipeline (decision_list.h).
#pragma once

#include <optional>
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
    // Of a dimension of a Func that has stages.
    const std::string &dimension(FuncId func, int dim) const;

    // A Func of that name that has stages, a stage, and a dimension of a Func; none if there is no
    // such.
    std::optional<FuncId> find(const std::string &name) const;
    std::optional<StageId> find_stage(const std::string &name) const;
    std::optional<int> find_dimension(FuncId func, const std::string &name) const;

    // That the wrapper of a read would have.
    std::string wrapper(const WrappedRead &read) const;

private:
    const Dag &dag_;
    std::vector<std::string> funcs_;               // by FuncId
    std::vector<std::vector<std::string>> loops_;  // by StageId
};

}  // namespace autoschedule_gpu
