// The pipeline with some of its reductions taken apart (scheduler/factors): what is scheduled.
//
//     pipeline ─► copy ─► rfactor ─► read ─► Dag, with Funcs of partial results
//
// Schedules of a variant begin with what makes it.
#pragma once

#include <Halide.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "halide/read/read.h"
#include "plugins/parameters/parameters.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/factors/cheapest_factors.h"
#include "scheduler/factors/factoring.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

struct PipelineVariant {
    std::vector<Coordinate> decisions;  // how each reduction is taken apart that could be
    Schedule factors;                   // the same as directives
    std::shared_ptr<const Dag> read;    // the pipeline after them
    std::shared_ptr<const Dag> dag;     // the same with wrapped reductions
};

// The pipeline as data, at those sizes.
Result<Dag> read_dag(const Halide::Pipeline &pipeline, const Halide::Target &target,
                     Respect respect, const Parameters &parameters, const GivenSizes &sizes);

// What may be taken apart of it.
std::vector<Factorable> reductions_of(const Dag &dag, const GpuModel &gpu,
                                      const Parameters &parameters);

// Removes from the pipeline what decisions need that `parameters` switch off.
void forget_disabled(const Parameters &parameters, Dag &dag);

// What variants are made of. All must outlive it.
struct VariantSource {
    const Halide::Pipeline &pipeline;
    const Halide::Target &target;
    Respect respect = Respect::keep;
    const Dag &as_read;
    const Parameters &parameters;
    std::vector<Factorable> reductions;  // none where they are not to be taken apart
    GivenSizes sizes = {};               // at which `as_read` was read

    // One choice per reduction. An Error if Halide refuses it.
    Result<PipelineVariant> make(const Factorings &choices) const;
    // That in which nothing is taken apart.
    PipelineVariant plain() const;
    // One choice per reduction; an Error names what of the list makes no sense.
    Result<Factorings> choices_of(const DecisionList &list) const;
    // The other way round.
    std::vector<Coordinate> decisions(const Factorings &choices) const;
};

// A schedule of that pipeline, by directives: the Dag after those that take reductions apart.
Result<PipelineVariant> variant_of_schedule(const VariantSource &source, const Schedule &schedule);

}  // namespace autoschedule_gpu
