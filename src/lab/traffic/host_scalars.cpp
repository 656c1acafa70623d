#include "lab/traffic/host_scalars.h"

#include <set>
#include <variant>

#include "core/lowered/code_facts.h"
#include "lab/traffic/sampling.h"

namespace autoschedule_gpu {
namespace {

using lowered::Buffer;
using lowered::Code;
using lowered::Op;
using lowered::Statement;
using lowered::StatementId;
using lowered::Type;

constexpr SampleRule kLoop = {.first = 16, .middle = 32, .last = 16};

// Arrays of one element that are no kernel's own.
std::set<lowered::BufferId> scalars_of(const Code &code) {
    std::set<lowered::BufferId> scalars;
    for (size_t b = 0; b < code.buffers.size(); ++b) {
        const Buffer &buffer = code.buffers[b];
        if (buffer.memory != MemoryKind::global || buffer.extents.size() != 1) continue;
        const lowered::Expr &extent = code.expr(buffer.extents[0]);
        if (extent.op == Op::integer_constant && extent.integer == 1) scalars.emplace(b);
    }
    return scalars;
}

}  // namespace

std::vector<bool> stores_to_host_scalars(const Code &code) {
    const std::set<lowered::BufferId> scalars = scalars_of(code);
    std::vector<bool> stores;
    // One pass is enough because children are stored before their parents.
    for (const Statement &statement : code.statements) {
        const auto *store = std::get_if<lowered::Store>(&statement);
        bool any = store != nullptr && scalars.contains(store->buffer) &&
                   code.expr(store->value).type.kind != Type::Kind::real;
        for (const StatementId child : children(statement)) any = any || stores[child.index()];
        stores.push_back(any);
    }
    return stores;
}

HostScalars::HostScalars(const Code &code, const std::vector<bool> &stores, Evaluator &evaluator)
    : code_(code), stores_(stores), evaluator_(evaluator) {}

void HostScalars::run(StatementId id) {
    if (!stores_[id.index()] || !evaluator_.error().empty()) return;
    const Statement &statement = code_.statement(id);
    if (const auto *store = std::get_if<lowered::Store>(&statement)) return run_store(*store);
    if (const auto *loop = std::get_if<lowered::For>(&statement)) return run_loop(*loop);
    if (const auto *let = std::get_if<lowered::Let>(&statement)) return run_let(*let);
    if (const auto *branch = std::get_if<lowered::If>(&statement)) return run_branch(*branch);
    for (const StatementId child : children(statement)) run(child);
}

void HostScalars::run_store(const lowered::Store &store) {
    ValueRef value = evaluator_.evaluate(store.value);
    if (evaluator_.error().empty()) evaluator_.store_only_element(store.buffer, std::move(value));
}

void HostScalars::run_loop(const lowered::For &loop) {
    if (loop.kind != lowered::LoopKind::serial) return;  // a kernel's
    const int64_t min = evaluator_.evaluate_uniform(loop.min, "the begin of " + loop.name);
    const int64_t extent = evaluator_.evaluate_uniform(loop.extent, "the extent of " + loop.name);
    for (const SamplePoint &point : sample_points(extent, kLoop)) {
        evaluator_.bind(loop.variable, uniform_integer(min + point.index));
        run(loop.body);
    }
    evaluator_.unbind(loop.variable);
}

void HostScalars::run_let(const lowered::Let &let) {
    evaluator_.bind(let.variable, let.value);
    run(let.body);
    evaluator_.unbind(let.variable);
}

void HostScalars::run_branch(const lowered::If &branch) {
    if (evaluator_.evaluate_uniform(branch.condition, "a condition") != 0) {
        run(branch.then_case);
    } else if (branch.else_case) {
        run(*branch.else_case);
    }
}

}  // namespace autoschedule_gpu
