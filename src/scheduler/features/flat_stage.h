// A stage together with the Funcs that are inlined into it, flattened: how often each inlined Func
// is called, and every load that is left, with its access as a function of the stage's own loops.
// Depends on what is inlined, not on any tiling, so that one is made per (stage, inlined set).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/features/divided_coordinates.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

struct FlatLoad {
    StageId via;                  // the stage (own or inlined) whose definition has the load
    FuncId producer;              // not inlined
    double sites = 1;             // per evaluation of `via`
    std::vector<double> untaken;  // of the sites, by which of its choices are known
    int64_t bytes = 4;
    AccessMatrix access;     // producer dimensions x loops of the flat stage's own stage
    bool is_gather = false;  // the address depends on data
    // The loops that move it from row to row, whose distance compilers don't know: bit i for loop
    // i.
    uint64_t row_loops = 0;
    double in_place = 0;   // of the sites (Load::in_place)
    bool clamped = false;  // as Load says
    // Positions in FlatStage::inlined and ::producers; kOwn for the stage's own.
    size_t caller = 0, source = 0;
};

struct FlatCall {
    StageId via;
    FuncId callee;                // inlined
    double sites = 1;             // Load::evaluations
    std::vector<double> untaken;  // likewise
    size_t position = 0;          // of the callee in FlatStage::inlined
};

// What decides which arms a definition takes, in the loops of the flat stage.
struct FlatChoices {
    struct ByLoop {
        size_t choice = 0;  // position in Stage::choices
        LoopChoice loop;
    };
    std::vector<ByLoop> loops;
    // A set of choices: without those that depend on loops otherwise, or on data.
    size_t knowable = 0;
};

struct FlatStage {
    static constexpr size_t kOwn = static_cast<size_t>(-1);

    StageId stage;
    std::vector<FuncId> inlined;               // reached from the stage, descending: callers first
    FlatChoices choices;                       // of the stage itself
    std::vector<FlatChoices> inlined_choices;  // parallel
    std::vector<bool> gathered;                // parallel: called at an index that depends on data
    std::vector<double> calls_at_a_point;      // parallel: as often as the text says
    // Parallel: a value that is the same at all points, made of constants and parameters (the
    // weight of a filter's tap). Halide computes it on the host, once.
    std::vector<bool> uniform;
    std::vector<FlatCall> calls;
    std::vector<FlatLoad> loads;
    std::vector<std::vector<DividedCoordinate>> inlined_divided;  // parallel to `inlined`
    std::vector<FuncId> producers;  // of the loads, each once, without the stage's own Func
    std::vector<std::vector<DividedCoordinate>> producers_divided;  // parallel
    // Parallel, a bit for each loop of the stage: those along which some loads go where others go
    // along another one, as rows and columns of one matrix do.
    std::vector<uint64_t> crossed;
    // Parallel: an input with aligned rows of which a point of the stage reads the element, in the
    // first dimension, that is a multiple of four further than the point, and wherever the point
    // is: behind no boundary condition.
    std::vector<bool> follows;
    int branching = 1;  // Strahler number of it all, at least
    AlgorithmFeatures algorithm;

    // How often one point of the stage makes the load.
    double sites_at_a_point(const FlatLoad &load) const {
        return load.caller == kOwn ? load.sites : load.sites * calls_at_a_point[load.caller];
    }
};

FlatStage flatten(const Dag &dag, StageId stage, const std::vector<FuncId> &kernel_inlined);

// Flat stages, each made when it is first asked for and kept. Not thread-safe.
class FlatStages {
public:
    // What a kernel inlines, ascending; `funcs` must outlive it.
    struct Inlining {
        explicit Inlining(const std::vector<FuncId> &funcs);
        const std::vector<FuncId> &funcs;
        uint64_t hash = 0;
    };

    // The pipeline must outlive this object.
    explicit FlatStages(const Dag &dag) : dag_(dag) {}

    // Returns a stage that stays as long as this object.
    const FlatStage &of(StageId stage, const Inlining &inlining);

private:
    const Dag &dag_;
    std::unordered_map<uint64_t, FlatStage> stages_;  // by hash of the stage and what is inlined
};

// Returns access o inner: how an access moves when the loops it is written in move with `inner`.
AccessMatrix compose(const AccessMatrix &access, const AccessMatrix &inner);

}  // namespace autoschedule_gpu
