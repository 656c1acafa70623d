#include "halide/lower/trial_lower.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
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
#include "halide/lower/home_kernel.h"
#include "halide/lower/misaligned_vectors.h"
#include "halide/lower/signed_bytes.h"
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

bool is_cuda(const Halide::Target &target) {
    return gpu_api(target) == GpuApi::cuda;
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

// A share of those that no other before is like: each goes to the share that has least so far,
// those that take longest first.
std::vector<KeptRoot> firsts(std::span<const KeptRoot> roots, const std::vector<size_t> &alike,
                             Share share) {
    constexpr double kUnknown = 1e-3;
    std::vector<size_t> order;
    for (size_t i = 0; i < roots.size(); ++i) {
        if (alike[i] == i) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return roots[i].seconds; });
    std::vector<double> seconds(share.of);
    std::vector<size_t> own;
    for (const size_t i : order) {
        const auto least = std::ranges::min_element(seconds);
        *least += std::max(roots[i].seconds, kUnknown);
        if (static_cast<size_t>(least - seconds.begin()) == share.number) own.push_back(i);
    }
    std::ranges::sort(own);
    std::vector<KeptRoot> result;
    for (const size_t i : own) result.push_back(roots[i]);
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

std::set<std::string> names_of(std::span<const KeptRoot> roots,
                               const std::vector<Halide::Func> &funcs) {
    std::set<std::string> names;
    for (const KeptRoot &root : roots) names.insert(funcs[static_cast<size_t>(root.func)].name());
    return names;
}

// All Funcs that are computed in other kernels than these.
void keep_others_small(const std::set<std::string> &kernels,
                       const std::vector<Halide::Func> &funcs) {
    std::vector<Halide::Func> others;
    for (const Halide::Func &func : funcs) {
        if (func.defined() && !kernels.contains(home_kernel(func, funcs))) others.push_back(func);
    }
    keep_code_small(others);
}

// Halide goes no further, for what there was to find is found.
struct Enough {};

Error refusal(const std::string &why) {
    return Error{"the schedule can't be lowered. " + why};
}

// What one trial finds, before kernels become device code and after that. Halide runs custom passes
// last, when kernels are still loops. All that it is made of must outlive it.
class TrialPass : public ir::IRMutator {
public:
    // `only`: the names of the Funcs whose kernels are asked for, amid others that are kept small;
    // none: all that there are.
    TrialPass(const Halide::Pipeline &pipeline, bool is_part, std::set<std::string> only,
              const Halide::Target &target, TrialDepth depth, const CodeCheck &check, CompiledBy by,
              const GivenSizes &sizes)
        : pipeline_(pipeline),
          is_part_(is_part),
          only_(std::move(only)),
          target_(target),
          depth_(depth),
          check_(check),
          by_(by),
          sizes_(sizes) {}

    using IRMutator::mutate;
    // Returns what is to become device code; throws Enough if nothing is.
    ir::Stmt mutate(const ir::Stmt &stmt) override {
        read(stmt);
        if (unusable_) throw Enough{};
        if (depth_ == TrialDepth::device_code) return stmt;
        if (check_.on) choose_checked(stmt);
        choose_judged(stmt);
        if (judged_.empty()) throw Enough{};
        const CompiledBy by = checked_.empty() ? CompiledBy::this_process : by_;
        const std::vector<size_t> here = compiled_.share(report_.kernels, judged_, by);
        compiled_here_ = here.size();
        return with_kernels_only(stmt, here);
    }

    // Of Funcs by their numbers. `refused`: why Halide came to no end; `module`: what it made where
    // it was let go on to the end. To be called once.
    Result<TrialLowering> outcome(const std::optional<std::string> &refused,
                                  const std::optional<Halide::Module> &module,
                                  const Schedule &schedule,
                                  const std::vector<Halide::Func> &funcs) {
        Compiled compiled{.refused = refused};
        if (module) compiled.defect = defect_of_code(*module, target_, schedule);
        if (!checked_.empty()) {
            if (module) compiled.usage = usage_of_code(*module, check_, compiled_here_);
            compiled = compiled_.together(std::move(compiled));
        }
        if (compiled.refused) return refusal(*compiled.refused);
        if (unusable_) return Error{*unusable_};
        if (depth_ == TrialDepth::loops && !report_.refused.empty()) {
            return refusal(report_.refused.front());
        }
        if (compiled.defect) return Error{*compiled.defect};
        number_funcs(funcs, report_);
        if (compiled.usage && !checked_.empty()) {
            set_usage(judged_, *compiled.usage, report_.kernels);
        }
        if (!compiled.usage) code_check_error_ = compiled.usage.error().message;
        leave_out_others();
        return TrialLowering{std::move(report_.kernels), std::move(code_check_error_)};
    }

private:
    void read(const ir::Stmt &stmt) {
        const std::vector<ir::Function> outputs = outputs_of(pipeline_);
        const reading::Estimates estimates(outputs, sizes_);
        reading::Gaps gaps;
        const auto buffers = reading::external_buffers(outputs, estimates, gaps);
        report_ = read_kernels(stmt, {estimates, buffers}, shared_element_bytes(target_));
        unusable_ = why_unusable(stmt);
    }

    std::optional<std::string> why_unusable(const ir::Stmt &stmt) const {
        // In a part, others may have what one asks for.
        const auto unbound = is_part_ ? std::nullopt : unbound_field(stmt);
        if (unbound) {
            return "the schedule asks for " + *unbound +
                   ", of a buffer whose values make no difference to the pipeline";
        }
        if (gpu_api(target_) == GpuApi::opencl && reckons_with_boolean_vectors(stmt)) {
            return "the schedule reckons with vectors of Booleans, of which Halide makes wrong "
                   "OpenCL C";
        }
        if (has_misaligned_vectors(stmt)) {
            return "the schedule has vectors in shared memory that Halide takes for aligned and "
                   "that are not";
        }
        return std::nullopt;
    }

    void choose_checked(const ir::Stmt &stmt) {
        const Status counted = count_live_words(stmt, pipeline_, target_, sizes_, report_.kernels);
        if (!counted) code_check_error_ = counted.error().message;
        for (size_t k = 0; k < report_.kernels.size(); ++k) {
            if (!is_asked_for(k)) report_.kernels[k].live_words = report_.kernels[k].values = -1;
        }
        take_known_usage(check_, report_.kernels);
        if (report_.refused.empty()) checked_ = kernels_to_ask_about(report_.kernels, check_);
    }

    // Where any kernel is checked, the assembler is given all that are judged.
    void choose_judged(const ir::Stmt &stmt) {
        std::vector<size_t> doubtful;
        if (depth_ == TrialDepth::loops && report_.refused.empty() && is_cuda(target_)) {
            doubtful = kernels_that_order_signed_bytes(stmt);
            std::erase_if(doubtful, [&](size_t k) { return !is_asked_for(k); });
        }
        std::ranges::set_union(checked_, doubtful, std::back_inserter(judged_));
    }

    bool is_asked_for(size_t kernel) const {
        return only_.empty() || only_.contains(report_.func_names[kernel]);
    }

    void leave_out_others() {
        std::vector<KernelLaunch> asked_for;
        for (size_t k = 0; k < report_.kernels.size(); ++k) {
            if (is_asked_for(k)) asked_for.push_back(std::move(report_.kernels[k]));
        }
        report_.kernels = std::move(asked_for);
    }

    const Halide::Pipeline &pipeline_;
    const bool is_part_;
    const std::set<std::string> only_;
    const Halide::Target &target_;
    const TrialDepth depth_;
    const CodeCheck &check_;
    const CompiledBy by_;
    const GivenSizes &sizes_;

    KernelReport report_;
    std::optional<std::string> unusable_;
    std::string code_check_error_;
    std::vector<size_t> checked_;  // the kernels about which the assembler is asked, ascending
    std::vector<size_t> judged_;   // these, and those whose code may be wrong
    CompiledKernels compiled_;
    size_t compiled_here_ = 0;
};

}  // namespace

TrialDepth default_trial_depth(const Halide::Target &target) {
    return is_cuda(target) ? TrialDepth::loops : TrialDepth::device_code;
}

Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target) {
    return trial_lower(schedule, pipeline, target, default_trial_depth(target));
}

Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target, TrialDepth depth,
                                  const CodeCheck &check, const AskedKernels &asked, CompiledBy by,
                                  const GivenSizes &sizes) {
    if (!pipeline.defined()) return Error{"the pipeline has no outputs"};
    Halide::Pipeline copy = deep_copy_pipeline(pipeline);
    const Result<std::vector<Halide::Func>> funcs = scheduled_funcs(schedule, copy);
    if (!funcs) return funcs.error();
    // Code that is to be judged must be the code that would run; otherwise it may be small.
    const bool may_be_wrong =
        depth != TrialDepth::sketch && is_cuda(target) && has_signed_bytes(*funcs);
    if (!check.on && !may_be_wrong) keep_code_small(*funcs);
    if (depth == TrialDepth::sketch) forget_branches(*funcs);

    const std::vector<size_t> alike = first_alike(copy, *funcs, asked.roots);
    const std::vector<KeptRoot> roots = firsts(asked.roots, alike, asked.share);
    if (roots.empty() && !asked.roots.empty()) return TrialLowering{};
    const bool is_part = !roots.empty() && asked.others == Others::left_out;
    std::set<std::string> only;
    if (is_part) {
        Result<Halide::Pipeline> part = part_of_pipeline(copy, *funcs, roots);
        if (!part) return part.error();
        copy = *std::move(part);
    } else if (!roots.empty()) {
        only = names_of(roots, *funcs);
        keep_others_small(only, *funcs);
    }
    TrialPass pass(copy, is_part, std::move(only), target, depth, check, by, sizes);
    copy.add_custom_lowering_pass(&pass, nullptr);
    std::optional<Halide::Module> module;
    const auto refused = halide_error([&] {
        try {
            module = copy.compile_to_module(copy.infer_arguments(), "trial", target);
        } catch (const Enough &) {
        }
    });
    Result<TrialLowering> outcome = pass.outcome(refused, module, schedule, *funcs);
    if (!outcome) return outcome.error();
    TrialLowering lowered = std::move(outcome).value();
    add_alike(asked.roots, alike, *funcs, lowered.kernels);
    return lowered;
}

}  // namespace autoschedule_gpu
