#include "lab/traffic/launch_extents.h"

#include <algorithm>

#include "core/lowered/code_facts.h"
#include "core/lowered/loop_names.h"

namespace autoschedule_gpu {
namespace {

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

}  // namespace

std::vector<LaunchExtents> launch_extents(const lowered::Code &code) {
    std::vector<LaunchExtents> launches;
    if (!check(code)) return launches;
    for (const lowered::StatementId kernel : CodeFacts(code).kernels) {
        const std::string &loop = std::get<lowered::For>(code.statement(kernel)).name;
        launches.push_back({.kernel = device_function_name(loop)});
        add_extents_of(code, kernel, launches.back());
    }
    return launches;
}

}  // namespace autoschedule_gpu
