#include "scheduler/features/algorithm_features.h"

#include <algorithm>
#include <map>

#include "scheduler/features/feature_groups.h"

namespace autoschedule_gpu {

namespace {

constexpr std::array kOfKind = {
#define X(kind, doc) &AlgorithmFeatures::ops_##kind,
    AUTOSCHEDULE_GPU_OP_KINDS(X)
#undef X
};

double &of_type(AlgorithmFeatures &features, OpType type) {
    switch (type) {
        case OpType::integer:
            return features.ops_on_integers;
        case OpType::wide_integer:
            return features.ops_on_wide_integers;
        case OpType::half:
            return features.ops_on_halves;
        case OpType::single:
            return features.ops_on_singles;
        case OpType::wide_float:
            return features.ops_on_doubles;
    }
    return features.ops_on_integers;
}

void add(const OpHistogram &ops, double evaluations, AlgorithmFeatures &features) {
    for (size_t k = 0; k < kOpKindCount; ++k) {
        for (size_t t = 0; t < kOpTypeCount; ++t) {
            const OpType type = static_cast<OpType>(t);
            const double count = ops.at(static_cast<OpKind>(k), type) * evaluations;
            features.*kOfKind[k] += count;
            of_type(features, type) += count;
        }
    }
}

// Returns how often each inlined Func and the stage itself are evaluated per evaluation of the
// stage; calls multiply.
std::map<StageId, double> evaluations_of(const Dag &dag, const FlatStage &flat) {
    std::map<StageId, double> evaluations{{flat.stage, 1.0}};
    for (const FlatCall &call : flat.calls) {  // callers first
        evaluations[dag.func(call.callee).stages[0]] += evaluations[call.via] * call.sites;
    }
    return evaluations;
}

}  // namespace

AlgorithmFeatures algorithm_features(const Dag &dag, const FlatStage &flat) {
    AlgorithmFeatures features;
    const std::map<StageId, double> evaluations = evaluations_of(dag, flat);
    for (const auto &[stage, times] : evaluations) add(dag.stage(stage).ops, times, features);
    const Stage &stage = dag.stage(flat.stage);
    for (const FlatLoad &load : flat.loads) {
        const double loads = load.sites * evaluations.at(load.via);
        (load.is_gather ? features.gathers : features.loads) += loads;
        if (load.producer == stage.func) features.self_loads += loads;
    }
    const Func &func = dag.func(stage.func);
    features.bytes_per_point = static_cast<double>(func.bytes_per_point());
    features.dimensions = static_cast<double>(func.dims.size());
    features.reduction_loops =
        static_cast<double>(std::ranges::count(stage.loops, Loop::Kind::reduction, &Loop::kind));
    features.inlined_funcs = static_cast<double>(flat.inlined.size());
    return features;
}

int flat_branching(const Dag &dag, const FlatStage &flat) {
    std::map<StageId, int> number;
    const auto with_callees = [&](StageId stage) {
        const int own = dag.stage(stage).branching;
        int widest = 1;
        double how_many = 0;  // calls of Funcs as wide as the widest
        for (const FlatCall &call : flat.calls) {
            if (call.via != stage) continue;
            const int callee = number.at(dag.func(call.callee).stages[0]);
            if (callee > widest) how_many = 0;
            widest = std::max(widest, callee);
            if (callee == widest) how_many += call.sites;
        }
        const bool beside_each_other = own > 1 && how_many > 1;
        return std::max(own, widest + (beside_each_other ? 1 : 0));
    };
    for (size_t i = flat.inlined.size(); i-- > 0;) {  // callees first
        const StageId stage = dag.func(flat.inlined[i]).stages[0];
        number[stage] = with_callees(stage);
    }
    return with_callees(flat.stage);
}

void add_algorithm(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        table.stages[i].algorithm = facts.stages[i].flat->algorithm;
    }
}

}  // namespace autoschedule_gpu
