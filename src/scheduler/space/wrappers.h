// Wrappers: Funcs that hold what another Func holds (Halide's Func::in). With them the search can
// give a reduction a kernel that keeps the sums in registers and stores each once, and stage a Func
// at root in the shared memory or registers of a kernel that reads it, which goes beyond
// the papers. Inlined, a wrapper changes nothing.
#pragma once

#include <set>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// The pipeline with a wrapper for each reduction inside it that several Funcs read, or one reads at
// other points than its own, be it by way of Funcs that are inlined whatever is decided; all its
// consumers read the wrapper.
Dag with_wrapped_reductions(const Dag &dag);

// A Func that a wrapper holds for one of its readers.
struct WrappedRead {
    FuncId func, reader;
    friend auto operator<=>(const WrappedRead &, const WrappedRead &) = default;
};

// All that may be: the reader reads the Func at other points than its own.
std::set<WrappedRead> wrappable_reads(const Dag &dag);

// The wrappers of single readers that a pipeline has; producers first.
std::vector<FuncId> single_reader_wrappers(const Dag &dag);

// The pipeline with a wrapper for each of these.
Dag with_wrappers(const Dag &dag, const std::set<WrappedRead> &reads);

// The pipeline and the nest, complete, with wrappers of all Funcs but copies, and of inlined copies
// with several readers: one for each Func that reads one of them at other points than its own. They
// are decided to be inline, but not yet listed in the kernels (SearchSpace::adopt does that).
struct WrappedReads {
    Dag dag;
    Nest nest;
    std::vector<FuncId> wrappers;  // producers first
};
WrappedReads with_wrapped_reads(const Dag &dag, const Nest &nest);

}  // namespace autoschedule_gpu
