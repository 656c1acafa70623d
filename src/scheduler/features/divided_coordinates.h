// Dimensions whose coordinate a stage divides (x / 2), as where it resamples. Halide and compilers
// know a coordinate by its expression: (x + 1) / 2 and x / 2 are two, and where they are equal is
// not known before it is known where rows begin. Counted so, the loads of pyramids are as many as
// in machine code: three pixels that are interpolated twice, from two levels above, need 2 x 2
// values, and are compiled to 24 loads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

struct DividedCoordinate {
    size_t dim = 0;
    int64_t divisor = 1;
    // How many different ones a point needs: as many as there are values, and at most, were it all
    // between the first and the last, before the division.
    double values = 1, most = 1;
    // By loop: by how much each iteration moves it, before the division.
    std::vector<double> steps = {};

    // How many all points need of as many iterations of each loop. Those of two points beside each
    // other differ, as there are mostly two before the division from one to the next; another point
    // adds one to them.
    template <typename Iterations>
    double different(const Iterations &iterations) const {
        double moved = 0;
        for (size_t i = 0; i < steps.size(); ++i) moved += steps[i] * (iterations(i) - 1);
        return moved < 1 ? values : std::min(most + moved, 2 * values + moved - 1);
    }
};

// Finds those of a stage, in which so much is inlined.
class DividedCoordinates {
public:
    // All must outlive it.
    DividedCoordinates(const Dag &dag, StageId stage, const std::vector<FuncId> &inlined)
        : dag_(dag), stage_(stage), inlined_(inlined) {}

    // The dimensions of a Func that are divided where it is accessed so, directly or through what
    // is inlined.
    std::vector<DividedCoordinate> of(FuncId func, std::span<const AccessMatrix *const> accesses);

private:
    void count(FuncId func, DividedCoordinate &divided);
    void add_neighbour();

    const Dag &dag_;
    const StageId stage_;
    const std::vector<FuncId> &inlined_;
    std::vector<RegionSet> regions_;  // of neighbouring points of the stage
};

}  // namespace autoschedule_gpu
