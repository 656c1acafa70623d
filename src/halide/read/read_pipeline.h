// The steps of read_pipeline, from Halide's Funcs to a Dag:
//
//     collect     stages, images, loads, operations, what must stay on the host
//     propagate   outputs first: the region required of each Func at the estimates; every bound is
//                 compiled on the way, because ranges at the estimates are its last resort
//     assemble    the tables of the Dag, producers first
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "halide/read/read.h"
#include "halide/read/read_bounds.h"
#include "halide/read/read_choices.h"
#include "halide/read/read_ends.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_loads.h"
#include "halide/read/read_shapes.h"
#include "halide/read/read_stage.h"
#include "halide/read/user_schedule.h"
#include "halide/read/user_wrappers.h"

namespace autoschedule_gpu::reading {

class PipelineReader {
public:
    PipelineReader(const Halide::Pipeline &pipeline, const Halide::Target &target,
                   const GivenSizes &sizes);
    // `ours`: Funcs whose schedule is none of a user's.
    Result<Dag> read(Respect respect, const std::set<std::string> &ours);

private:
    struct EdgeDraft {
        explicit EdgeDraft(size_t inputs) : box(inputs) {}
        CompiledBox box;
        bool pointwise = false;
        RegionProgramId region;
    };
    struct StageDraft {
        StageSource source;
        StageGraph graph;
        std::vector<KeyedLoad> loads;
        std::vector<Loop> loops;
        std::vector<Interval> ranges;       // at the estimates, one per loop
        std::map<FuncId, EdgeDraft> edges;  // by producer
    };
    struct FuncDraft {
        std::vector<StageDraft> stages;
        std::vector<Interval> required;       // at the estimates, one per dimension
        std::vector<EdgeDraft *> with_holes;  // edges to this Func that need its whole region
        bool unreadable = false;              // kernels could not load it from memory
        std::string unbounded_reader;         // a sentence: who reads it without a bound, and where
        std::string extern_reader;            // the extern stage that reads it, if any
    };

    std::string missing_output_estimates() const;
    void note_empty_outputs();
    void note_zero_divisors();
    void read_wrappers();
    void collect();
    void collect_stage(const HI::Function &func, int index, FuncDraft &draft);
    void add_images();
    void add_func(const HI::Function &func);
    std::string host_reason(const HI::Function &func, const FuncDraft &draft) const;

    std::string propagate(FuncId id);
    std::string infer_region(FuncId id);
    void watch_by_target(Func &func) const;
    void infer_loops(FuncId id, StageDraft &stage);
    void read_edges(FuncId id, StageDraft &stage);
    void read_extern_edges(StageDraft &stage);
    void guess_extern_needs(const StageDraft &stage, FuncId producer);
    void add_edge(StageDraft &stage, const std::string &key, const std::vector<HI::Interval> &box);
    void infer_image(FuncId id);
    RegionProgramId computed_program(FuncId id, const FuncDraft &draft, std::string &error);

    void assemble();
    void add_stage(FuncId func, StageDraft &draft);
    void add_loads(StageDraft &draft, const Choices &choices, Stage &stage) const;
    void find_images_without_rows();
    void respect(const UserSchedule &theirs, Func &func) const;

    bool is_output(const std::string &name) const;
    FuncId id_of(const std::string &key) const;

    const Halide::Target target_;
    std::vector<HI::Function> outputs_;
    std::map<std::string, HI::Function> env_;
    std::vector<std::string> order_;
    Estimates estimates_;
    UserSchedules theirs_;
    std::map<std::string, UserWrapper> wrappers_;
    std::set<std::string> lose_clamps_;  // lost_clamps.h
    std::map<std::string, int> halide_indices_;
    HI::FuncValueBounds values_;
    std::vector<ImageSource> images_;
    ImagesReadByPoints read_by_points_;
    std::map<std::string, FuncId> ids_;
    std::vector<FuncDraft> drafts_;  // by FuncId
    Gaps gaps_;
    Dag dag_;
};

}  // namespace autoschedule_gpu::reading
