#include "property/random_dag.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/dag/text.h"

namespace autoschedule_gpu {
namespace {

using example::random_dag;

TEST(RandomDag, IsSoundAndNamedByItsSeed) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Dag dag = random_dag(seed, 9);
        EXPECT_EQ(check(dag), std::vector<std::string>{}) << seed;
        EXPECT_EQ(to_text(dag), to_text(random_dag(seed, 9)));
    }
}

// Otherwise the properties would be tested on less than they claim.
TEST(RandomDag, HasEveryKindOfPipeline) {
    int updates = 0, hosts = 0, outputs = 0, inexact = 0, unknown = 0, independent = 0, ahead = 0;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Dag dag = random_dag(seed, 9);
        const auto funcs = [&](auto holds) {
            return std::count_if(dag.funcs.begin(), dag.funcs.end(), holds);
        };
        updates += funcs([](const Func &f) { return f.stages.size() > 1; }) > 0;
        hosts += funcs([](const Func &f) { return f.on_host(); }) > 0;
        outputs += funcs([](const Func &f) { return f.is_output(); }) > 1;
        for (const Edge &edge : dag.edges) {
            for (size_t d = 0; d < dag.regions.outputs(edge.region); ++d) {
                inexact += !dag.regions.dimension(edge.region, d).lo_affine;
            }
        }
        for (const Stage &stage : dag.stages) {
            for (const Load &load : stage.loads) {
                for (size_t d = 0; d < load.access.dims(); ++d)
                    unknown += !load.access.at(d, 0).known;
            }
            for (const Loop &loop : stage.loops) {
                independent += loop.kind == Loop::Kind::reduction && loop.parallel;
                ahead += loop.reads_ahead;
            }
        }
    }
    for (int count : {updates, hosts, outputs, inexact, unknown, independent}) EXPECT_GT(count, 20);
    EXPECT_GT(ahead, 5);
}

}  // namespace
}  // namespace autoschedule_gpu
