// What a thread needs of registers. An estimate: how a compiler orders instructions is not known.
#include <algorithm>
#include <vector>

#include "core/gpu/occupancy.h"
#include "scheduler/features/facts_steps.h"

namespace autoschedule_gpu {

namespace {

double words_of(const Func &func) {
    return std::max(1.0, static_cast<double>(func.bytes_per_point()) / 4);
}

// Returns the share of a register that a thread has for each element of a vector along pixels: they
// stay packed until something is computed of them, which is a few of them at a time (read off the
// assembler's figures of vectors of bytes, with and without arithmetic: 16 to 32 registers for 24
// pixels' bytes).
double packed(const StageFacts &stage, int64_t element_bytes) {
    return stage.pixels_at_once > 1 ? std::min(1.0, static_cast<double>(element_bytes) / 4) : 1;
}

// Adds to the stages the words of the arrays that a thread keeps in registers while it computes
// them: each from the stage that makes it to the last that reads it.
void add_arrays(const KernelFacts &facts, std::span<StageFacts> stages) {
    for (size_t first = 0; first < stages.size(); ++first) {
        const StageFacts &made = stages[first];
        if (facts.memory_of(made.func) != MemoryKind::registers) continue;
        if (facts.dag.stage(made.stage).index > 0) continue;
        size_t last = first;
        for (size_t i = first + 1; i < stages.size(); ++i) {
            if (std::ranges::find(stages[i].accesses, made.func, &AccessFacts::func) !=
                stages[i].accesses.end()) {
                last = i;
            }
        }
        const double words =
            words_of(facts.dag.func(made.func)) * static_cast<double>(iterations(*made.inner));
        for (size_t i = first; i <= last; ++i) stages[i].registers += words;
    }
}

// Returns the share of what a pass loads by an access that is kept at a time, because a later
// iteration of a reduction loop that is written out uses it again: what loops inside of it load
// until then. 0 if nothing is.
double kept_share(const Stage &stage, const StageFacts &facts, const AccessFacts &access) {
    double outside = 1;
    bool is_used_again = false;
    for (size_t i = stage.loops.size(); i-- > 0;) {
        if (stage.loops[i].parallel || facts.unrolled[i] == 1) continue;
        const bool moves = access.matrix->moves(i);
        if (is_used_again && moves) return 1 / outside;
        if (moves) outside *= static_cast<double>(facts.unrolled[i]);
        is_used_again = is_used_again || !moves;
    }
    return 0;
}

struct Operands {
    double of_step = 0;  // what one step loads, and what steps read together
    double kept = 0;     // what later steps use again
};

// Whether the steps of a pass wait for each other's stores to shared memory.
bool waits_for_shared_memory(const KernelFacts &facts, const StageFacts &stage) {
    return stage.waiting_steps > 1 && facts.memory_of(stage.func) == MemoryKind::shared;
}

// Returns how many values of a pass of so many steps a thread has at a time that it loads from
// global and from shared memory. What is stored to shared memory in between may be what was loaded
// from there, as far as compilers know: that is not kept. Where steps wait for such stores, what
// all of them load from global memory is loaded before (sums of cells with 16 steps and all their
// operands inlined spill 480 values).
Operands operands_of(const KernelFacts &facts, const Stage &data, const StageFacts &stage,
                     double steps) {
    const bool is_ahead = waits_for_shared_memory(facts, stage);
    Operands operands;
    for (const AccessFacts &access : stage.accesses) {
        if (access.direction != Direction::load) continue;
        if (access.memory != MemoryKind::global && access.memory != MemoryKind::shared) continue;
        const double words = access.vector > 1 ? packed(stage, access.bytes) : 1;
        const double count = words * access.count / std::max(1.0, stage.passes);
        const double share =
            access.memory == MemoryKind::global ? kept_share(data, stage, access) : 0;
        if (is_ahead && access.memory == MemoryKind::global) {
            operands.kept += count;
        } else if (share > 0) {
            operands.kept += share * count;
        } else {
            operands.of_step += stage.reads_by_steps(access.func) ? count : count / steps;
        }
    }
    return operands;
}

// Whether a stage adds up its points in the passes of a loop, through which all of them are live.
bool accumulates(const Dag &dag, const StageFacts &stage) {
    const std::vector<Loop> &loops = dag.stage(stage.stage).loops;
    for (size_t i = 0; i < loops.size(); ++i) {
        if (!loops[i].parallel && stage.inner->trips[i] > 1) return true;
    }
    return false;
}

// Returns the accumulators and operands of a stage. Without a reduction the points of a tile are
// finished one after the other, so that only some of them are live at once; the iterations of an
// unrolled reduction are as well, and their operands. Those of a tile that is not unrolled are in
// memory.
double tile_registers(const KernelFacts &facts, const StageFacts &facts_of_stage) {
    constexpr double kMostOperands = 32, kMostLivePoints = 24;
    const Stage &stage = facts.dag.stage(facts_of_stage.stage);
    double points = 1, steps = 1;  // steps: of the reduction, in one pass
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const double written = static_cast<double>(facts_of_stage.unrolled[i]);
        if (stage.loops[i].parallel) {
            points *= written;
            continue;
        }
        steps *= written;
    }
    const Operands loaded = operands_of(facts, stage, facts_of_stage, steps);
    const double operands =
        std::min(kMostOperands, loaded.of_step) + loaded.kept + facts_of_stage.values_ahead;
    if (!facts_of_stage.owns_threads()) return operands;  // its points are an array's
    const bool all_live = accumulates(facts.dag, facts_of_stage);
    const double live = all_live ? points : std::min(points, kMostLivePoints);
    const Func &func = facts.dag.func(stage.func);
    return packed(facts_of_stage, func.values[0].bytes()) * words_of(func) * live + operands;
}

// Returns what the steps of a reduction loop need that are written out: the distance of each to the
// first, in each array that they stride over, does not change in the loop and is kept, for strides
// are known at run time only. Read off the assembler's figures of scans: with two such arrays, 8,
// 16 and 32 steps need 48 registers, 64, and more than that; with one, 32 need 64.
double step_registers(const KernelFacts &facts, const StageFacts &stage) {
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    double words = 0;
    for (size_t i = 0; i < loops.size(); ++i) {
        const int64_t steps = stage.unrolled[i];
        if (steps == 1 || steps == stage.inner->trips[i]) continue;
        std::vector<FuncId> arrays;
        for (const AccessFacts &access : stage.accesses) {
            const bool strides = access.memory == MemoryKind::global &&
                                 facts.strides_along(access.func, *access.matrix, i);
            if (strides && std::ranges::find(arrays, access.func) == arrays.end()) {
                arrays.push_back(access.func);
            }
        }
        words += static_cast<double>(steps - 1) * static_cast<double>(arrays.size());
    }
    return words;
}

}  // namespace

// Addresses and loop counters come on top.
void estimate_registers(const KernelFacts &facts, std::span<StageFacts> stages) {
    for (StageFacts &stage : stages) {
        stage.registers = static_cast<double>(kBusyRegisters) + tile_registers(facts, stage) +
                          step_registers(facts, stage);
    }
    add_arrays(facts, stages);
}

// What is beyond the device's limit is spilled in every pass, but for a few: the compiler finds an
// order that needs less. Where it does not, it spills more than what is beyond. Of points that are
// finished one after the other it finds one anyway: in the machine code of 45 schedules, of 11
// kernels with an estimate beyond, three spill, which add up 64 points each.
double estimated_spills(const KernelFacts &facts, const StageFacts &stage) {
    constexpr double kSpared = 8, kSpilledForOne = 3;
    if (!accumulates(facts.dag, stage)) return 0;
    const double room = static_cast<double>(facts.gpu.max_registers_per_thread) + kSpared;
    return kSpilledForOne * std::max(1.0, stage.passes) * std::max(0.0, stage.registers - room);
}

}  // namespace autoschedule_gpu
