#include "core/dag/scans.h"

#include <algorithm>
#include <cmath>

namespace autoschedule_gpu {
namespace {

// Whether what is loaded in several iterations of a loop lies side by side, as many points as there
// are iterations, whatever the sizes: one coordinate moves, by one point an iteration.
bool is_a_line(const Load &load, size_t loop) {
    if (!load.of_sums || !load.access.is_known()) return false;
    int moving = 0;
    for (size_t d = 0; d < load.access.dims(); ++d) {
        if (!load.access.moves(d, loop)) continue;
        if (std::abs(load.access.at(d, loop).value) != 1) return false;
        ++moving;
    }
    return moving == 1;
}

// Whether no other stage of the same Func reads a producer.
bool is_sole_reader(const Dag &dag, StageId reader, FuncId producer) {
    return std::ranges::none_of(dag.func_of(reader).stages, [&](StageId other) {
        const std::vector<Load> &loads = dag.stage(other).loads;
        return other != reader &&
               std::ranges::find(loads, producer, &Load::producer) != loads.end();
    });
}

bool reads_ahead(const Dag &dag, StageId id, size_t loop) {
    const Stage &stage = dag.stage(id);
    if (stage.loops[loop].kind != Loop::Kind::reduction || stage.has_predicate) return false;
    if (!is_scan_along(stage, loop)) return false;
    for (const Load &load : stage.loads) {
        if (load.producer == stage.func || !load.access.moves(loop)) continue;
        if (!is_a_line(load, loop) || !is_sole_reader(dag, id, load.producer)) return false;
    }
    return !read_along(stage, loop).empty();
}

}  // namespace

bool goes_as_stored(const Stage &stage, const AccessMatrix &access, size_t loop) {
    for (size_t d = 0; d < access.dims(); ++d) {
        const Coefficient &load = access.at(d, loop), &store = stage.store.at(d, loop);
        if (!load.known || !store.known || load.value != store.value) return false;
    }
    return true;
}

bool is_scan_along(const Stage &stage, size_t loop) {
    return stage.store.moves(loop) && std::ranges::any_of(stage.loads, [&](const Load &load) {
               return load.producer == stage.func && load.in_place < load.count &&
                      goes_as_stored(stage, load.access, loop);
           });
}

void find_reads_ahead(Dag &dag) {
    for (size_t i = 0; i < dag.stages.size(); ++i) {
        for (size_t loop = 0; loop < dag.stages[i].loops.size(); ++loop) {
            dag.stages[i].loops[loop].reads_ahead = reads_ahead(dag, StageId(i), loop);
        }
    }
}

void forget_reads_ahead(Dag &dag) {
    for (Stage &stage : dag.stages) {
        for (Loop &loop : stage.loops) loop.reads_ahead = false;
    }
}

std::vector<FuncId> read_along(const Stage &stage, size_t loop) {
    std::vector<FuncId> read;
    for (const Load &load : stage.loads) {
        const bool is_new = std::ranges::find(read, load.producer) == read.end();
        if (load.producer != stage.func && is_new && load.access.moves(loop)) {
            read.push_back(load.producer);
        }
    }
    return read;
}

}  // namespace autoschedule_gpu
