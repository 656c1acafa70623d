// What became of structures in earlier passes (Anderson 2021 §4.5, avoiding known bad states): for
// every step and structure that was in the beam, the best complete schedule that it led to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace autoschedule_gpu {

class StructureBook {
public:
    // A state in the beam of the pass at hand, by the state that it came of.
    using Entry = int32_t;
    static constexpr Entry kStart = -1;

    // Forgets the entries of the pass before, not what they led to.
    void begin_pass() { entries_.clear(); }

    // A state is in the beam after a step. `structure`: its hash at the depth of the next pass.
    Entry enter(Entry parent, size_t step, uint64_t structure);

    // A complete state of that cost, in nanoseconds, came of it.
    void finish(Entry last, double cost);

    // Factor on the cost of a state in the queue: 1 for structures that nobody tried or that led to
    // the best schedule so far, up to kMostPenalty for those that led nowhere.
    double penalty(size_t step, uint64_t structure) const;

    static constexpr double kMostPenalty = 1.5;

private:
    struct Line {
        Entry parent;
        uint64_t key;
    };

    std::vector<Line> entries_;
    std::unordered_map<uint64_t, double> led_to_;  // by key; infinity: nothing complete so far
    double best_ = 0;                              // 0: none
};

}  // namespace autoschedule_gpu
