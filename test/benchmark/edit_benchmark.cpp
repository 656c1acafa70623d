// Edits of kernels (scheduler/nest/edit.h): one call per iteration.
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {
namespace {

using example::Edit;
using example::Subject;

int stages(const benchmark::State &state) {
    return static_cast<int>(state.range(0));
}

void edit_make_kernel(benchmark::State &state) {
    const Subject subject(stages(state));
    over_cases(state, subject.edits_of(Place::undecided), [&](const Edit &edit) {
        benchmark::DoNotOptimize(
            make_kernel(subject.search.dag, edit.after->stage, edit.after->tiling));
    });
}
BENCHMARK(edit_make_kernel)->Name("edit/make_kernel")->Apply(small_and_large);

void edit_inline_func(benchmark::State &state) {
    const Subject subject(stages(state));
    over_cases(state, subject.edits_of(Place::inlined), [&](const Edit &edit) {
        benchmark::DoNotOptimize(inline_func(edit.before, edit.decision.func));
    });
}
BENCHMARK(edit_inline_func)->Name("edit/inline_func")->Apply(small_and_large);

void edit_compute_in_block(benchmark::State &state) {
    const Subject subject(stages(state));
    over_cases(state, subject.edits_of(Place::block), [&](const Edit &edit) {
        benchmark::DoNotOptimize(compute_in_block(subject.search.dag, edit.before,
                                                  edit.decision.func, edit.decision.extents,
                                                  edit.decision.serial));
    });
}
BENCHMARK(edit_compute_in_block)->Name("edit/compute_in_block")->Apply(small_and_large);

void edit_compute_in_thread(benchmark::State &state) {
    const Subject subject(stages(state));
    over_cases(state, subject.edits_of(Place::threads), [&](const Edit &edit) {
        benchmark::DoNotOptimize(compute_in_thread(subject.search.dag, edit.before,
                                                   edit.decision.site, edit.decision.func,
                                                   edit.decision.extents));
    });
}
BENCHMARK(edit_compute_in_thread)->Name("edit/compute_in_thread")->Apply(small_and_large);

}  // namespace
}  // namespace autoschedule_gpu
