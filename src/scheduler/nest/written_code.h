// How much code a kernel is when everything that is inlined and unrolled is written out, and how
// long Halide takes for it.
#pragma once

#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// How often each of kernel.inlined is evaluated at a point of a stage: a Func that reads another at
// three places writes it out three times.
class InlinedCalls {
public:
    InlinedCalls(const Dag &dag, const Kernel &kernel) : InlinedCalls(dag, kernel.inlined) {}
    // `inlined` ascends, and stays alive.
    InlinedCalls(const Dag &dag, const std::vector<FuncId> &inlined)
        : dag_(dag), inlined_(inlined), calls_(inlined.size()) {}

    // From now on, the calls are those at a point of this stage.
    void count(StageId stage);

    // By position in what is inlined.
    double operator[](size_t i) const { return calls_[i]; }
    const std::vector<double> &all() const { return calls_; }

private:
    void add_reads(StageId via, double evaluations);
    void add(FuncId func, double evaluations);

    const Dag &dag_;
    const std::vector<FuncId> &inlined_;
    std::vector<double> calls_;
};

// Points of an innermost band that are written out one after the other.
struct UnrolledPoints {
    double tile = 1, reduction = 1;
};
UnrolledPoints unrolled_points(const Dag &dag, const Band &inner);

// How often each of `calls`, counted for the band's stage, is evaluated in all unrolled points of
// the tile, by position in kernel.inlined: what several points need, once.
std::vector<double> calls_in_tile(const Dag &dag, const Kernel &kernel, const Band &inner,
                                  const InlinedCalls &calls);

// How long Halide takes to lower the kernel, in seconds of one core. `copies`, by FuncId, are
// inlined sooner or later, so that they count before they are in the kernel.
//
// It simplifies and compares what it has inlined over and over, so the time grows faster than the
// expressions; what is unrolled is much alike. The numbers were fitted to 40 stages of 17 to 7,500
// nodes (chains of stencils and pyramids behind boundary conditions, the applications), whose times
// are 0.3 to 1.4 times as long as this says. What several places of a point need, windows of one
// Func in the terms of another, Halide inlines once: harris in one kernel takes 0.15 s.
double lowering_seconds(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies);
// No less than that, and found in less time: as though Halide inlined it for each place.
double most_lowering_seconds(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies);
// Where no copies are to come.
double lowering_seconds(const Dag &dag, const Kernel &kernel);
// The stages that the kernel computes then, with those of copies that are to come.
size_t stages_at_last(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies);
// Of all kernels.
double lowering_seconds(const Dag &dag, const Nest &nest);

}  // namespace autoschedule_gpu
