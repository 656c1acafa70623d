// Helpers for tests of halide/read: look things up in a Dag by name.
#pragma once

#include <Halide.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/dag/text.h"
#include "halide/read/read.h"

namespace autoschedule_gpu::testing {

inline const Halide::Var x("x"), y("y"), c("c");

inline Halide::Target cuda() {
    return Halide::Target("x86-64-linux-cuda-cuda_capability_80");
}

// A Dag that is read without an error and passes check().
inline Dag read(const Halide::Pipeline &pipeline, const Halide::Target &target = cuda()) {
    Result<Dag> result = read_pipeline(pipeline, target);
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {};
    }
    EXPECT_EQ(check(*result), std::vector<std::string>{}) << to_text(*result);
    return *result;
}

inline std::string error_of(const Halide::Pipeline &pipeline,
                            const Halide::Target &target = cuda()) {
    const Result<Dag> result = read_pipeline(pipeline, target);
    return result ? "no error" : result.error().message;
}

inline bool has_func(const Dag &dag, const std::string &name) {
    for (const Func &func : dag.funcs) {
        if (func.name == name) return true;
    }
    return false;
}

inline FuncId id_of(const Dag &dag, const std::string &name) {
    for (size_t f = 0; f < dag.funcs.size(); f++) {
        if (dag.funcs[f].name == name) return FuncId(f);
    }
    throw std::runtime_error("no Func " + name + " in\n" + to_text(dag));
}

inline const Func &func(const Dag &dag, const std::string &name) {
    return dag.func(id_of(dag, name));
}

inline const Func &func(const Dag &dag, const Halide::Func &f) {
    return func(dag, f.name());
}

inline const Stage &stage(const Dag &dag, const Halide::Func &f, size_t index = 0) {
    return dag.stage(func(dag, f).stages.at(index));
}

inline const Edge &edge(const Dag &dag, const Stage &consumer, const std::string &producer) {
    for (EdgeId id : consumer.edges) {
        if (dag.func(dag.edge(id).producer).name == producer) return dag.edge(id);
    }
    throw std::runtime_error("no edge to " + producer);
}

inline const Load &load(const Dag &dag, const Stage &consumer, const std::string &producer) {
    for (const Load &load : consumer.loads) {
        if (dag.func(load.producer).name == producer) return load;
    }
    throw std::runtime_error("no load of " + producer);
}

inline std::vector<Interval> evaluate(const Dag &dag, RegionProgramId id,
                                      const std::vector<Interval> &in) {
    std::vector<Interval> out(dag.regions.outputs(id));
    dag.regions.evaluate(id, in, out);
    return out;
}

inline std::vector<Interval> estimates(const Func &func) {
    std::vector<Interval> result;
    for (const Dimension &dim : func.dims) result.push_back(dim.estimate);
    return result;
}

using Intervals = std::vector<Interval>;

}  // namespace autoschedule_gpu::testing

namespace autoschedule_gpu {
inline void PrintTo(const Interval &interval, std::ostream *out) {
    *out << "[" << interval.min << ", " << interval.max << "]";
}
}  // namespace autoschedule_gpu
