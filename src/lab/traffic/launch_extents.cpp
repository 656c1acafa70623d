#include "lab/traffic/launch_extents.h"

#include <algorithm>

#include "core/lowered/code_facts.h"
#include "core/lowered/loop_names.h"

namespace autoschedule_gpu {
namespace {

// More than any device has. Twice that is a number still.
constexpr int64_t kMostSharedBytes = int64_t{1} << 61;

void widen_to(const lowered::Expr &extent, int64_t &widest) {
    const bool is_known = extent.op == lowered::Op::integer_constant && widest > 0;
    widest = is_known ? std::max(widest, extent.integer) : 0;
}

void add_extents_of(const lowered::Code &code, lowered::StatementId id, LaunchExtents &extents) {
    const lowered::Statement &statement = code.statement(id);
    const auto *loop = std::get_if<lowered::For>(&statement);
    if (loop != nullptr && loop->kind != lowered::LoopKind::serial) {
        auto &sides = loop->kind == lowered::LoopKind::block ? extents.blocks : extents.threads;
        widen_to(code.expr(loop->extent), sides[static_cast<size_t>(loop->axis)]);
    }
    for (const lowered::StatementId child : children(statement)) {
        add_extents_of(code, child, extents);
    }
}

// Nothing: some size is no constant.
std::optional<int64_t> bytes_of_allocation(const lowered::Code &code,
                                           const lowered::Buffer &buffer) {
    int64_t bytes = buffer.element_bytes;
    for (const lowered::ExprId id : buffer.extents) {
        const lowered::Expr &extent = code.expr(id);
        if (extent.op != lowered::Op::integer_constant) return std::nullopt;
        if (__builtin_mul_overflow(bytes, extent.integer, &bytes)) return kMostSharedBytes;
    }
    return std::min(bytes, kMostSharedBytes);
}

// As LaunchExtents::shared_bytes, in a statement.
std::optional<int64_t> shared_bytes_in(const lowered::Code &code, lowered::StatementId id) {
    const lowered::Statement &statement = code.statement(id);
    int64_t most = 0;
    for (const lowered::StatementId child : children(statement)) {
        const std::optional<int64_t> inside = shared_bytes_in(code, child);
        if (!inside) return std::nullopt;
        most = std::max(most, *inside);
    }
    const auto *allocation = std::get_if<lowered::Allocate>(&statement);
    if (allocation == nullptr) return most;
    const lowered::Buffer &buffer = code.buffer(allocation->buffer);
    if (buffer.memory != MemoryKind::shared) return most;
    const std::optional<int64_t> own = bytes_of_allocation(code, buffer);
    return own ? std::optional(std::min(most + *own, kMostSharedBytes)) : std::nullopt;
}

}  // namespace

std::vector<LaunchExtents> launch_extents(const lowered::Code &code) {
    std::vector<LaunchExtents> launches;
    if (!check(code)) return launches;
    for (const lowered::StatementId kernel : CodeFacts(code).kernels) {
        const std::string &loop = std::get<lowered::For>(code.statement(kernel)).name;
        launches.push_back({.kernel = device_function_name(loop)});
        add_extents_of(code, kernel, launches.back());
        launches.back().shared_bytes = shared_bytes_in(code, kernel);
    }
    return launches;
}

}  // namespace autoschedule_gpu
