// A stage together with the Funcs that are inlined into it, flattened: how often each inlined Func
// is called, and every load that is left, with its access as a function of the stage's own loops.
// Depends on what is inlined, not on any tiling, so that one is made per (stage, inlined set).
#pragma once

#include <vector>

#include "dag/dag.h"
#include "features/feature_list.h"
#include "nest/nest.h"

namespace autoschedule_gpu {

struct FlatLoad {
    StageId via;       // the stage (own or inlined) whose definition has the load
    FuncId producer;   // not inlined
    double sites = 1;  // per evaluation of `via`
    int64_t bytes = 4;
    AccessMatrix access;     // producer dimensions x loops of the flat stage's own stage
    bool is_gather = false;  // the address depends on data
};

struct FlatCall {
    StageId via;
    FuncId callee;  // inlined
    double sites = 1;
};

struct FlatStage {
    StageId stage;
    std::vector<FuncId> inlined;  // reached from the stage, descending: callers first
    std::vector<bool> gathered;   // parallel: called at an index that depends on data
    std::vector<FlatCall> calls;
    std::vector<FlatLoad> loads;
    std::vector<FuncId> producers;  // of the loads, each once, without the stage's own Func
    int branching = 1;              // Strahler number of it all, at least
    AlgorithmFeatures algorithm;
};

FlatStage flatten(const Dag &dag, StageId stage, const std::vector<FuncId> &kernel_inlined);

// access o inner: how an access moves when the loops it is written in move with `inner`.
AccessMatrix compose(const AccessMatrix &access, const AccessMatrix &inner);

}  // namespace autoschedule_gpu
