#include "halide/apply/apply.h"

#include <map>
#include <string>
#include <utility>

#include "halide/apply/apply_directives.h"
#include "halide/apply/conditions.h"
#include "halide/apply/sized_copy.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/schedule/size_sections.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

std::vector<ir::Function> functions_of(const std::vector<Halide::Func> &funcs) {
    std::vector<ir::Function> functions;
    functions.reserve(funcs.size());
    for (const Halide::Func &func : funcs) functions.push_back(func.function());
    return functions;
}

}  // namespace

std::vector<Halide::Func> all_funcs(const Halide::Pipeline &pipeline) {
    const std::vector<ir::Function> outputs = functions_of(pipeline.outputs());
    const std::map<std::string, ir::Function> environment = ir::build_environment(outputs);
    std::vector<Halide::Func> funcs;
    for (const std::string &name : ir::topological_order(outputs, environment)) {
        funcs.emplace_back(environment.at(name));
    }
    return funcs;
}

namespace {

// As apply_directives, of a schedule that may take reductions apart.
Result<std::vector<Halide::Func>> apply_to_funcs(const Schedule &schedule,
                                                 const std::vector<Halide::Func> &funcs,
                                                 size_t first) {
    const auto [factors, rest] = split_off_factors(schedule);
    Result<std::vector<Halide::Func>> factored = apply_directives(factors, funcs, first);
    if (!factored) return factored;
    return apply_directives(rest, std::move(factored).value(), first + factors.size());
}

// Of the buffers of outputs and of inputs.
Result<Halide::Expr> condition_of(const SizeSection &section,
                                  const std::vector<Halide::Func> &funcs) {
    Halide::Expr all = ir::const_true();
    for (const api::LeastExtent &one : section.extents) {
        std::string buffer = one.input;
        if (one.func >= 0) {
            const auto index = static_cast<size_t>(one.func);
            if (index >= funcs.size() || funcs[index].function().output_buffers().empty()) {
                return Error{"there is no output of the number " + std::to_string(one.func)};
            }
            buffer = funcs[index].function().output_buffers().front().name();
        }
        all = both(all, has_points(buffer, one));
    }
    return all;
}

// Each on Funcs of its own; the last on the pipeline's, which are returned.
Result<std::vector<Halide::Func>> apply_sections(const std::vector<SizeSection> &sections,
                                                 const Halide::Pipeline &pipeline) {
    const std::vector<Halide::Func> funcs = all_funcs(pipeline);
    std::vector<SizedCopy> copies;
    for (size_t i = 0; i + 1 < sections.size(); ++i) {
        copies.push_back(copy_for_sizes(funcs, pipeline, i));
    }
    std::vector<Halide::Func> scheduled;
    for (size_t i = 0; i < sections.size(); ++i) {
        const std::vector<Halide::Func> &of = i < copies.size() ? copies[i].funcs : funcs;
        auto done = apply_to_funcs(sections[i].schedule, of, sections[i].first + 1);
        if (!done) return done;
        scheduled = std::move(done).value();
    }
    for (size_t i = copies.size(); i-- > 0;) {
        const Result<Halide::Expr> condition = condition_of(sections[i], funcs);
        if (!condition) return condition.error();
        compute_as_in(copies[i], funcs, pipeline, *condition);
    }
    return scheduled;
}

}  // namespace

Result<std::vector<Halide::Func>> apply_factors(const Schedule &factors,
                                                Halide::Pipeline pipeline) {
    if (!pipeline.defined()) return Error{"the pipeline has no outputs"};
    Result<std::vector<Halide::Func>> funcs = apply_directives(factors, all_funcs(pipeline), 1);
    pipeline.invalidate_cache();
    return funcs;
}

Status apply_schedule(const Schedule &schedule, Halide::Pipeline pipeline) {
    const Result<std::vector<Halide::Func>> funcs = scheduled_funcs(schedule, std::move(pipeline));
    if (!funcs) return funcs.error();
    return Ok{};
}

Result<std::vector<Halide::Func>> scheduled_funcs(const Schedule &schedule,
                                                  Halide::Pipeline pipeline) {
    if (!pipeline.defined()) return Error{"the pipeline has no outputs"};
    const std::vector<SizeSection> sections = split_by_sizes(schedule);
    auto funcs = sections.size() == 1 ? apply_to_funcs(sections[0].schedule, all_funcs(pipeline),
                                                       sections[0].first + 1)
                                      : apply_sections(sections, pipeline);
    pipeline.invalidate_cache();
    return funcs;
}

Halide::Pipeline deep_copy_pipeline(const Halide::Pipeline &pipeline) {
    const std::vector<ir::Function> outputs = functions_of(pipeline.outputs());
    std::vector<Halide::Func> copies;
    for (ir::Function &copy : ir::deep_copy(outputs, ir::build_environment(outputs)).first) {
        copies.emplace_back(copy);
    }
    return Halide::Pipeline(copies, pipeline.requirements());
}

}  // namespace autoschedule_gpu
