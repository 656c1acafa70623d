// How well accesses of different patterns use what they move, together.
#pragma once

namespace autoschedule_gpu {

// Adds what moves `more` with that efficiency; `efficiency` is the mean of what `moved` has.
inline void mix(double more, double efficiency_of_more, double &moved, double &efficiency) {
    if (moved + more > 0) {
        efficiency = (efficiency * moved + efficiency_of_more * more) / (moved + more);
    }
    moved += more;
}

}  // namespace autoschedule_gpu
