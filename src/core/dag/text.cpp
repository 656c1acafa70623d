#include "core/dag/text.h"

#include <cmath>
#include <cstdio>

namespace autoschedule_gpu {
namespace {

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return text;
}

// Returns 0.5 as 1/2 and 0.75 as 3/4: the coefficients of accesses have small denominators.
std::string fraction(double value) {
    for (int denominator = 1; denominator <= 16; denominator++) {
        const double numerator = value * denominator;
        if (std::abs(numerator - std::round(numerator)) > 1e-9) continue;
        const std::string text = number(std::round(numerator));
        return denominator == 1 ? text : text + "/" + std::to_string(denominator);
    }
    return number(value);
}

const char *type_name(OpType type) {
    switch (type) {
        case OpType::integer:
            return "integer";
        case OpType::wide_integer:
            return "wide_integer";
        case OpType::half:
            return "half";
        case OpType::single:
            return "single";
        case OpType::wide_float:
            return "wide_float";
    }
    return "";
}

std::string interval_text(const Interval &interval) {
    return "[" + std::to_string(interval.min) + ", " + std::to_string(interval.max) + "]";
}

const char *kind_text(Func::Kind kind) {
    switch (kind) {
        case Func::Kind::input_image:
            return "input ";
        case Func::Kind::internal:
            return "func ";
        case Func::Kind::output:
            return "output ";
    }
    return "";
}

std::string func_text(const Dag &dag, const Func &func) {
    std::string text = kind_text(func.kind) + func.name + "(";
    std::vector<std::string> names;
    for (const Dimension &dim : func.dims) {
        if (!names.empty()) text += ", ";
        names.push_back(dim.name);
        text += dim.name + " " + interval_text(dim.estimate) + " *" + std::to_string(dim.stride);
    }
    text += ") ->";
    for (const ScalarType &type : func.values) text += " " + to_text(type);
    if (func.can_inline) text += " can_inline";
    if (func.must_inline) text += " must_inline";
    if (func.on_host()) text += " host: " + func.host_reason;
    text += "\n";
    if (dag.regions.inputs(func.computed) > 0 && !func.is_input()) {
        text += "  computed " + dag.regions.describe(func.computed, names, names) + "\n";
    }
    return text;
}

std::string loop_text(const Loop &loop) {
    std::string text = " " + loop.name;
    if (loop.kind == Loop::Kind::reduction) {
        text += interval_text(loop.range);
        text += loop.constant ? " constant" : " estimated";
        if (loop.may_be_empty) text += " may_be_empty";
        if (loop.parallel) text += " parallel";
    }
    return text;
}

std::string stage_text(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    std::string text = "  stage " + stage_name(dag, id) + " loops";
    std::vector<std::string> inputs;
    for (const Loop &loop : stage.loops) {
        text += (inputs.empty() ? "" : ",") + loop_text(loop);
        inputs.push_back(loop.name);
    }
    if (stage.has_predicate) text += " where";
    if (stage.atomics == Atomics::exact) text += " atomics";
    if (stage.atomics == Atomics::rounding) text += " rounding_atomics";
    text += "\n    store " + to_text(stage.store) + "\n";
    text += "    ops " + to_text(stage.ops) + "\n";
    for (const Load &load : stage.loads) {
        text += "    load " + dag.func(load.producer).name + " x" + std::to_string(load.count) +
                " " + std::to_string(load.bytes_per_site) + "B " + to_text(load.access) + "\n";
    }
    for (EdgeId edge_id : stage.edges) {
        const Edge &edge = dag.edge(edge_id);
        const Func &producer = dag.func(edge.producer);
        std::vector<std::string> dims;
        for (const Dimension &dim : producer.dims) dims.push_back(dim.name);
        text += "    edge " + producer.name + (edge.pointwise ? " pointwise" : "") +
                (edge.fallback ? " fallback" : "");
        text += " " + dag.regions.describe(edge.region, inputs, dims) + "\n";
    }
    return text;
}

}  // namespace

std::string to_text(const ScalarType &type) {
    const std::string bits = std::to_string(type.bits);
    switch (type.code) {
        case ScalarType::Code::signed_int:
            return "int" + bits;
        case ScalarType::Code::unsigned_int:
            return type.bits == 1 ? "bool" : "uint" + bits;
        case ScalarType::Code::floating:
            return "float" + bits;
        case ScalarType::Code::handle:
            return "handle";
    }
    return "";
}

std::string to_text(const AccessMatrix &matrix) {
    std::string text = "[";
    for (size_t d = 0; d < matrix.dims(); d++) {
        if (d > 0) text += "; ";
        for (size_t k = 0; k < matrix.loops(); k++) {
            const Coefficient &c = matrix.at(d, k);
            text += (k > 0 ? " " : "") + (c.known ? fraction(c.value) : "?");
        }
    }
    return text + "]";
}

std::string to_text(const OpHistogram &ops) {
    std::string text;
    for (size_t kind = 0; kind < kOpKindCount; kind++) {
        for (size_t type = 0; type < kOpTypeCount; type++) {
            const double count = ops.at(static_cast<OpKind>(kind), static_cast<OpType>(type));
            if (count == 0) continue;
            if (!text.empty()) text += ", ";
            text += std::string(to_string(static_cast<OpKind>(kind))) + ":" +
                    type_name(static_cast<OpType>(type)) + " " + number(count);
        }
    }
    return text.empty() ? "none" : text;
}

std::string to_text(const Dag &dag) {
    std::string text;
    for (const Func &func : dag.funcs) {
        text += func_text(dag, func);
        for (StageId stage : func.stages) text += stage_text(dag, stage);
    }
    return text;
}

}  // namespace autoschedule_gpu
