// Region programs (scheduler/nest/regions.h): one walk over a kernel per iteration.
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {
namespace {

using example::Subject;

// A walk from the root stage of a kernel, over its whole grid, to what it reads.
struct Walk {
    StageId stage;
    std::vector<Interval> ranges;
    std::vector<FuncId> members;
    size_t edges = 0;
};

Walk walk_of(const Dag &dag, const Kernel &kernel, RegionSet &regions) {
    Walk walk;
    walk.stage = kernel.stage;
    std::vector<Interval> box;
    for (const Dimension &dim : dag.func_of(kernel.stage).dims) box.push_back(dim.estimate);
    stage_ranges(dag, kernel.stage, box, walk.ranges);
    walk.members = members_below(dag, kernel, *kernel.blocks);
    regions.clear();
    propagate(dag, walk.stage, walk.ranges, walk.members, regions);
    walk.edges = dag.stage(walk.stage).edges.size();
    for (FuncId member : walk.members) {
        if (!regions.touched(member)) continue;
        for (StageId stage : dag.func(member).stages) walk.edges += dag.stage(stage).edges.size();
    }
    return walk;
}

void regions_propagate(benchmark::State &state) {
    const Subject subject(static_cast<int>(state.range(0)));
    const Dag &dag = subject.search.dag;
    RegionSet regions(dag);
    std::vector<Walk> walks;
    for (const KernelPtr &kernel : subject.kernels()) {
        walks.push_back(walk_of(dag, *kernel, regions));
    }
    size_t edges = 0;
    over_cases(state, walks, [&](const Walk &walk) {
        regions.clear();
        propagate(dag, walk.stage, walk.ranges, walk.members, regions);
        benchmark::DoNotOptimize(regions.funcs().data());
        edges += walk.edges;
    });
    using benchmark::Counter;
    state.counters["time_per_edge"] =
        Counter(static_cast<double>(edges), Counter::kIsRate | Counter::kInvert);
}
BENCHMARK(regions_propagate)->Name("regions/propagate")->Apply(small_and_large);

}  // namespace
}  // namespace autoschedule_gpu
