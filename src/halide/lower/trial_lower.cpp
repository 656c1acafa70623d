#include "halide/lower/trial_lower.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/lowered/loop_names.h"
#include "halide/apply/apply.h"
#include "halide/apply/halide_error.h"
#include "halide/lower/alike_kernels.h"
#include "halide/lower/apply_kernels.h"
#include "halide/lower/boolean_vectors.h"
#include "halide/lower/compiled_kernels.h"
#include "halide/lower/device_code.h"
#include "halide/lower/small_code.h"
#include "halide/lower/unbound_fields.h"
#include "halide/read/target_api.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

int64_t shared_element_bytes(const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    return api ? capabilities(*api).shared_element_bytes : 1;
}

std::vector<ir::Function> outputs_of(const Halide::Pipeline &pipeline) {
    std::vector<ir::Function> outputs;
    for (const Halide::Func &output : pipeline.outputs()) outputs.push_back(output.function());
    return outputs;
}

// Funcs that nobody has given a number have none.
void number_funcs(const std::vector<Halide::Func> &funcs, KernelReport &report) {
    for (size_t k = 0; k < report.kernels.size(); ++k) {
        const auto at = std::ranges::find_if(funcs, [&](const Halide::Func &func) {
            return func.defined() && func.name() == report.func_names[k];
        });
        if (at != funcs.end()) report.kernels[k].func = static_cast<int>(at - funcs.begin());
    }
}

// A share of those that no other before is like.
std::vector<KeptRoot> firsts(std::span<const KeptRoot> roots, const std::vector<size_t> &alike,
                             Share share) {
    std::vector<KeptRoot> result;
    size_t seen = 0;
    for (size_t i = 0; i < roots.size(); ++i) {
        if (alike[i] == i && seen++ % share.of == share.first) result.push_back(roots[i]);
    }
    return result;
}

// The kernels that were not lowered, as those that they are like, by their own names.
void add_alike(std::span<const KeptRoot> roots, const std::vector<size_t> &alike,
               const std::vector<Halide::Func> &funcs, std::vector<KernelLaunch> &kernels) {
    const auto prefix = [&](size_t root) {
        return device_function_name(funcs[static_cast<size_t>(roots[root].func)].name());
    };
    const std::vector<KernelLaunch> lowered = kernels;
    for (size_t i = 0; i < roots.size(); ++i) {
        if (alike[i] == i) continue;
        for (KernelLaunch kernel : lowered) {
            if (kernel.func != roots[alike[i]].func) continue;
            kernel.func = roots[i].func;
            kernel.name = prefix(i) + kernel.name.substr(prefix(alike[i]).size());
            kernels.push_back(std::move(kernel));
        }
    }
}

}  // namespace

TrialDepth default_trial_depth(const Halide::Target &target) {
    return gpu_api(target) == GpuApi::cuda ? TrialDepth::loops : TrialDepth::device_code;
}

Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target) {
    return trial_lower(schedule, pipeline, target, default_trial_depth(target));
}

Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target, TrialDepth depth,
                                  const CodeCheck &check, std::span<const KeptRoot> only,
                                  Share share, CompiledBy by) {
    if (!pipeline.defined()) return Error{"the pipeline has no outputs"};
    Halide::Pipeline copy = deep_copy_pipeline(pipeline);
    const Result<std::vector<Halide::Func>> funcs = scheduled_funcs(schedule, copy);
    if (!funcs) return funcs.error();
    // Code that the compiler is to judge must be the code that would run; otherwise it may be
    // small.
    if (!check.on) keep_code_small(*funcs);
    if (depth == TrialDepth::sketch) forget_branches(*funcs);

    const std::vector<size_t> alike = first_alike(copy, *funcs, only);
    if (!only.empty()) {
        const std::vector<KeptRoot> lowered = firsts(only, alike, share);
        if (lowered.empty()) return TrialLowering{};
        Result<Halide::Pipeline> part = part_of_pipeline(copy, *funcs, lowered);
        if (!part) return part.error();
        copy = *std::move(part);
    }
    const std::vector<ir::Function> outputs = outputs_of(copy);
    // Halide runs custom passes last, when kernels are still loops.
    struct Enough {};
    KernelReport report;
    TrialLowering result;
    std::optional<std::string> unbound;  // in a part, others may have what one asks for
    bool miscompiled = false;
    std::vector<size_t> checked;
    CompiledKernels compiled;
    size_t compiled_here = 0;
    struct Pass : ir::IRMutator {
        std::function<ir::Stmt(const ir::Stmt &)> body;
        using IRMutator::mutate;
        ir::Stmt mutate(const ir::Stmt &stmt) override { return body(stmt); }
    } pass;
    pass.body = [&](const ir::Stmt &stmt) {
        const reading::Estimates estimates(outputs);
        reading::Gaps gaps;
        const auto buffers = reading::external_buffers(outputs, estimates, gaps);
        report = read_kernels(stmt, {estimates, buffers}, shared_element_bytes(target));
        number_funcs(*funcs, report);
        if (only.empty() && (unbound = unbound_field(stmt))) throw Enough{};
        if (gpu_api(target) == GpuApi::opencl && reckons_with_boolean_vectors(stmt)) {
            miscompiled = true;
            throw Enough{};
        }
        if (depth == TrialDepth::device_code) return stmt;
        if (check.on) {
            const Status counted = count_live_words(stmt, copy, target, report.kernels);
            if (!counted) result.code_check_error = counted.error().message;
            take_known_usage(check, report.kernels);
            if (report.refused.empty()) checked = kernels_to_ask_about(report.kernels, check);
        }
        if (checked.empty()) throw Enough{};
        const std::vector<size_t> here = compiled.share(report.kernels, checked, by);
        compiled_here = here.size();
        return with_kernels_only(stmt, here);
    };
    copy.add_custom_lowering_pass(&pass, nullptr);
    std::optional<Halide::Module> module;
    const auto why = halide_error([&] {
        try {
            module = copy.compile_to_module(copy.infer_arguments(), "trial", target);
        } catch (const Enough &) {
        }
    });
    Compiled found{.refused = why};
    if (module && !checked.empty()) found.usage = usage_of_code(*module, check, compiled_here);
    if (!checked.empty()) found = compiled.together(std::move(found));
    if (found.refused) return Error{"the schedule can't be lowered. " + *found.refused};
    if (miscompiled) {
        return Error{
            "the schedule reckons with vectors of Booleans, of which Halide makes wrong OpenCL C"};
    }
    if (unbound) {
        return Error{"the schedule asks for " + *unbound +
                     ", of a buffer whose values make no difference to the pipeline"};
    }
    if (depth == TrialDepth::loops && !report.refused.empty()) {
        return Error{"the schedule can't be lowered. " + report.refused.front()};
    }
    if (module) {
        if (const auto defect = defect_of_code(*module, target, schedule)) {
            return Error{std::string(*defect)};
        }
    }
    result.kernels = std::move(report.kernels);
    if (found.usage && !checked.empty()) set_usage(checked, *found.usage, result.kernels);
    if (!found.usage) result.code_check_error = found.usage.error().message;
    add_alike(only, alike, *funcs, result.kernels);
    return result;
}

}  // namespace autoschedule_gpu
