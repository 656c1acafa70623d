// Extents of what is computed inside a kernel (scheduler/nest/regions.h): of one Func per
// iteration.
#include "benchmark/growing_dags.h"
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {
namespace {

using example::Edit;
using example::Subject;

void extents_block(benchmark::State &state) {
    const Subject subject(static_cast<int>(state.range(0)));
    over_cases(state, subject.edits_of(Place::block), [&](const Edit &edit) {
        benchmark::DoNotOptimize(
            extents_in_block(subject.search.dag, *edit.before, edit.decision.func));
    });
}
BENCHMARK(extents_block)->Name("extents/in_block")->Apply(small_and_large);

// The same, and the most that any block needs, as is asked where they are known only at run time.
void extents_most(benchmark::State &state) {
    const Subject subject(static_cast<int>(state.range(0)));
    const Dag &dag = subject.search.dag;
    over_cases(state, subject.edits_of(Place::block), [&](const Edit &edit) {
        const Kernel &kernel = *edit.before;
        const std::span funcs(&edit.decision.func, 1);
        const auto known = extents_in_block(dag, kernel, kernel.tiling, funcs);
        benchmark::DoNotOptimize(most_extents_in_block(dag, kernel, kernel.tiling, funcs, known));
    });
}
BENCHMARK(extents_most)->Name("extents/most_in_block")->Apply(small_and_large);

void extents_thread(benchmark::State &state) {
    const Subject subject(static_cast<int>(state.range(0)));
    over_cases(state, subject.edits_of(Place::threads), [&](const Edit &edit) {
        for (const BandPtr &threads : edit.before->blocks->body) {
            if (threads->stage != edit.decision.site) continue;
            benchmark::DoNotOptimize(
                extents_in_thread(subject.search.dag, *edit.before, *threads, edit.decision.func));
        }
    });
}
BENCHMARK(extents_thread)->Name("extents/in_thread")->Apply(small_and_large);

// The first stage of a chain in a kernel that has all others in its block: the walk passes so many
// members.
void extents_chain(benchmark::State &state) {
    const Dag dag = example::chain(static_cast<int>(state.range(0)) + 2);
    const KernelPtr kernel = example::fused_chain(dag);
    for (auto _ : state) {
        benchmark::DoNotOptimize(extents_in_block(dag, *kernel, dag.stages[0].func));
    }
}
BENCHMARK(extents_chain)->Name("extents/in_block_of_chain")->Apply(few_and_many_members);

}  // namespace
}  // namespace autoschedule_gpu
