#include "unit/lab/traffic/code_builder.h"

#include <gtest/gtest.h>

#include <utility>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu::test {

using lowered::BufferId;
using lowered::LoopKind;
using lowered::Op;
using lowered::StatementId;
using lowered::VariableId;

E operator+(E a, E b) {
    return a.builder->op(Op::add, kInt32, {a, b});
}
E operator-(E a, E b) {
    return a.builder->op(Op::subtract, kInt32, {a, b});
}
E operator*(E a, E b) {
    return a.builder->op(Op::multiply, kInt32, {a, b});
}
E operator/(E a, E b) {
    return a.builder->op(Op::divide, kInt32, {a, b});
}
E operator%(E a, E b) {
    return a.builder->op(Op::remainder, kInt32, {a, b});
}
E operator<(E a, E b) {
    return a.builder->op(Op::less, kBool, {a, b});
}
E operator+(E a, int64_t b) {
    return a + a.builder->constant(b);
}
E operator-(E a, int64_t b) {
    return a - a.builder->constant(b);
}
E operator*(E a, int64_t b) {
    return a * a.builder->constant(b);
}
E operator/(E a, int64_t b) {
    return a / a.builder->constant(b);
}
E operator%(E a, int64_t b) {
    return a % a.builder->constant(b);
}
E operator<(E a, int64_t b) {
    return a < a.builder->constant(b);
}

E CodeBuilder::constant(int64_t value) {
    lowered::Expr expr;
    expr.integer = value;
    return {this, code.add(expr)};
}

E CodeBuilder::op(Op op, lowered::Type type, const std::vector<E> &operands) {
    lowered::Expr expr;
    expr.op = op;
    expr.type = type;
    for (E operand : operands) expr.operands.push_back(operand.id);
    return {this, code.add(std::move(expr))};
}

E CodeBuilder::clamp(E value, int64_t least, int64_t greatest) {
    return op(Op::maximum, kInt32,
              {op(Op::minimum, kInt32, {value, constant(greatest)}), constant(least)});
}

E CodeBuilder::ramp(E base, int width) {
    lowered::Type type = kInt32;
    type.lanes = static_cast<uint16_t>(width);
    return op(Op::ramp, type, {base, constant(1)});
}

BufferId CodeBuilder::global(const std::string &name, const std::vector<int64_t> &extents,
                             int64_t element_bytes) {
    lowered::Buffer buffer;
    buffer.name = name;
    buffer.element_bytes = element_bytes;
    int64_t stride = 1;
    for (const int64_t extent : extents) {
        buffer.dims.push_back({extent, stride});
        stride *= extent;
    }
    return code.add(std::move(buffer));
}

E CodeBuilder::load(BufferId buffer, E index, int elements_per_instruction, lowered::Type type) {
    lowered::Expr expr;
    expr.op = Op::load;
    expr.type = type;
    expr.type.lanes = code.expr(index.id).type.lanes;
    expr.buffer = buffer;
    expr.operands = {index.id};
    expr.elements_per_instruction = elements_per_instruction;
    return {this, code.add(std::move(expr))};
}

void CodeBuilder::blocks(int axis, int64_t extent, const Body &body) {
    const std::string name = std::string("f.s0.v.block_id_") + "xyz"[axis];
    loop(LoopKind::block, axis, name, constant(extent), body);
}

void CodeBuilder::threads(int axis, int64_t extent, const Body &body) {
    loop(LoopKind::thread, axis, std::string(".thread_id_") + "xyz"[axis], constant(extent), body);
}

void CodeBuilder::serial(E extent, const Body &body) {
    loop(LoopKind::serial, 0, "f.s0.k", extent, body);
}

void CodeBuilder::loop(LoopKind kind, int axis, const std::string &name, E extent,
                       const Body &body) {
    lowered::For loop;
    loop.kind = kind;
    loop.axis = axis;
    loop.name = name;
    loop.variable = code.add_variable(name);
    loop.min = constant(0).id;
    loop.extent = extent.id;
    lowered::Expr variable;
    variable.op = Op::variable;
    variable.variable = loop.variable;
    const E value{this, code.add(variable)};
    loop.body = written([&] { body(value); });
    append(loop);
}

void CodeBuilder::let(E value, const Body &body) {
    const VariableId variable = code.add_variable("t");
    lowered::Expr reference;
    reference.op = Op::variable;
    reference.type = code.expr(value.id).type;
    reference.variable = variable;
    const E name{this, code.add(reference)};
    const StatementId inside = written([&] { body(name); });
    append(lowered::Let{variable, value.id, inside});
}

void CodeBuilder::if_then(E condition, const Block &body) {
    append(lowered::If{condition.id, written(body), std::nullopt});
}

void CodeBuilder::allocate(const std::string &name, MemoryKind memory, int64_t elements,
                           const std::function<void(BufferId)> &body) {
    lowered::Buffer buffer;
    buffer.name = name;
    buffer.memory = memory;
    buffer.extents = {constant(elements).id};
    const BufferId id = code.add(std::move(buffer));
    const StatementId inside = written([&] { body(id); });
    append(lowered::Allocate{id, inside});
}

void CodeBuilder::store(BufferId buffer, E index, E value, int elements_per_instruction) {
    append(
        lowered::Store{buffer, index.id, value.id, std::nullopt, elements_per_instruction, false});
}

void CodeBuilder::store_atomic(BufferId buffer, E index, E value) {
    append(lowered::Store{buffer, index.id, value.id, std::nullopt, 1, true});
}

void CodeBuilder::barrier() {
    append(lowered::Barrier{});
}

const lowered::Code &CodeBuilder::finished() {
    code.root = code.add(open_.front());
    return code;
}

KernelTraffic CodeBuilder::traffic(double work) {
    const auto kernels = count_traffic(finished(), find_preset("A100").value(), {work});
    EXPECT_TRUE(kernels.ok()) << kernels.error().message;
    EXPECT_EQ(kernels->size(), 1u);
    return kernels->front();
}

StatementId CodeBuilder::written(const Block &body) {
    open_.emplace_back();
    body();
    const StatementId id = code.add(std::move(open_.back()));
    open_.pop_back();
    return id;
}

void CodeBuilder::append(lowered::Statement statement) {
    const StatementId id = code.add(std::move(statement));
    open_.back().statements.push_back(id);
}

}  // namespace autoschedule_gpu::test
