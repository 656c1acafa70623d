#include <algorithm>

#include "scheduler/features/feature_groups.h"

namespace autoschedule_gpu {

namespace {

// Returns bytes of the arrays, in registers or not, that the threads of a band hold.
double working_set(const Dag &dag, const Band &threads) {
    double bytes = 0;
    for (const BandPtr &inner : threads.body) {
        const bool is_array = inner->stage != threads.stage && dag.stage(inner->stage).index == 0;
        if (is_array) bytes += array_bytes(dag, *inner);
    }
    return bytes;
}

void add_registers(const KernelFacts &facts, const StageFacts &stage, StageFeatures &row) {
    for (const AccessFacts &access : stage.accesses) {
        if (access.memory == MemoryKind::registers) {
            row.register_accesses_per_thread += access.count;
        } else if (access.memory == MemoryKind::local) {
            row.local_accesses_per_thread += access.count;
        }
    }
    row.working_set_at_thread = working_set(facts.dag, *stage.threads->band);
    row.expr_branching = stage.flat->branching;
}

}  // namespace

void add_registers(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    table.kernel.registers_per_thread = facts.registers_per_thread;
    table.kernel.spills_per_thread = facts.spills_per_thread;
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        const StageFacts &stage = facts.stages[i];
        add_registers(facts, stage, table.stages[i]);
        const bool local_array = facts.memory_of(stage.func) == MemoryKind::local &&
                                 facts.dag.stage(stage.stage).index == 0;
        if (local_array)
            table.kernel.local_bytes_per_thread += array_bytes(facts.dag, *stage.inner);
    }
}

}  // namespace autoschedule_gpu
