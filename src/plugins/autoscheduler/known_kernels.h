// What trials have said of kernels, by what Halide is told of each
// (scheduler/schedule/kernel_keys.h). Candidates of one search share most of theirs, whatever
// wrappers their pipelines have, and what Halide made of a kernel it makes of it again: what a
// kernel is does not depend on the others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/dag/dag.h"
#include "halide/lower/trial_process.h"
#include "scheduler/nest/nest.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// The launches of a kernel of the nest: one, and those for other sizes.
std::vector<KernelLaunch> launches_of(const Dag &dag, const Kernel &kernel,
                                      const TrialLowering &lowered);

// Not thread-safe.
class KnownKernels {
public:
    // What is found anew takes the place of what was known. Nothing is remembered if a kernel that
    // is not known was not found either, or the code was not looked at.
    void remember(const CompleteState &candidate, const TrialLowering &lowered);

    // The Funcs at root with a kernel that is not known. nullopt: all is lowered as it is, because
    // there are kernels of users' own in between, or nothing is known and Halide is quick. Parts
    // do not tell how Halide gets on with the whole: it has crashed on what lies between kernels
    // that it had lowered. So where nothing is known, the whole is sketched, too. And where some
    // that are not known share a launch, or divide coordinates, these are lowered in the whole: as
    // it is where nothing is known, later amid others that are kept small.
    struct Unknown {
        std::vector<KeptRoot> roots;
        Whole whole = Whole::left_out;
    };
    std::optional<Unknown> unknown(const CompleteState &candidate) const;

    // What a trial of the whole would have said, outputs last; `part` is one of what was unknown.
    // nullopt if a kernel is in neither.
    std::optional<TrialLowering> whole(const CompleteState &candidate,
                                       const TrialLowering &part) const;

private:
    std::map<uint64_t, std::vector<KernelLaunch>> known_;  // by key
};

}  // namespace autoschedule_gpu
