#include "scheduler/nest/thread_code.h"

#include "core/support/hash.h"

namespace autoschedule_gpu {

namespace {

// By name: pipelines that differ in their wrappers number what else they have differently.
void add(Hasher &hasher, const Dag &dag, StageId stage) {
    hasher.add(dag.func_of(stage).name).add(static_cast<uint64_t>(dag.stage(stage).index));
}

void add(Hasher &hasher, const Dag &dag, const Band &innermost) {
    add(hasher, dag, innermost.stage);
    hasher.add(static_cast<uint64_t>(innermost.memory));
    hasher.add(static_cast<uint64_t>(innermost.unroll)).add(static_cast<uint64_t>(innermost.steps));
    for (const int64_t trips : innermost.trips) hasher.add(static_cast<uint64_t>(trips));
}

}  // namespace

uint64_t thread_code_hash(const Dag &dag, const Kernel &kernel) {
    Hasher hasher;
    add(hasher, dag, kernel.stage);
    for (const FuncId func : kernel.inlined) hasher.add(dag.func(func).name);
    for (const KernelOption &option : kKernelOptions) hasher.add(kernel.*option.is_on);
    for (const Band *threads : thread_bands(kernel)) {
        add(hasher, dag, threads->stage);
        hasher.add(static_cast<uint64_t>(threads->memory));
        if (threads->memory == MemoryKind::shared && is_copy(dag, dag.stage(threads->stage).func)) {
            continue;
        }
        for (const int64_t trips : threads->trips) hasher.add(trips > 1);
        for (const Band *innermost : innermost_bands(*threads)) add(hasher, dag, *innermost);
    }
    return hasher.value();
}

}  // namespace autoschedule_gpu
