// Finds what a stage computes at some iterations only: the arms of mux(c, ..) by c, and those of
// select(x % 2 == 0, ..) by x. Compilers see which arm it is where the iterations of the loop are
// written out, and leave out the others.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <vector>

#include "core/dag/dag.h"
#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

class Choices {
public:
    // `ranges`: of the stage's loops, at the estimates.
    Choices(const StageGraph &graph, const std::vector<Interval> &ranges);

    // Returns Stage::choices.
    const std::vector<LoopChoice> &choices() const { return choices_; }
    // Returns how many sets of known choices there are, 1 if there is no choice.
    size_t known_sets() const { return size_t{1} << choices_.size(); }
    // Returns the share of the iterations at which a node of the graph is computed where the
    // choices of a set are known: none for what asks nothing else.
    double share(const HI::IRNode *node, size_t known) const;

private:
    struct Node {
        uint64_t cells = 0;  // in which it is computed
        // Of a choice and what it asks alone: the choices it depends on.
        size_t asks = 0;
    };
    std::vector<LoopChoice> choices_;
    std::map<const HI::IRNode *, Node> nodes_;  // of the graph, if it has choices
    // By set of known choices: groups of cells that they don't tell apart.
    std::vector<std::vector<uint64_t>> groups_;
};

}  // namespace autoschedule_gpu::reading
