#include "halide/lower/trial_process.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <new>
#include <sstream>
#include <utility>
#include <variant>

#include "halide/lower/apart.h"

namespace autoschedule_gpu {

namespace {

// Children at once. It does not depend on the machine: kernels that are alike as far as numbers
// tell take each other's registers within a share.
constexpr size_t kMostShares = 2;

// Children that lower so many kernels; amid the whole, each would lower that.
size_t shares_of(Whole whole, size_t kernels) {
    if (whole == Whole::nothing_else) return 0;
    if (whole == Whole::kept_small) return 1;
    return std::clamp<size_t>(kernels, 1, kMostShares);
}

// Returns what the child writes: a line "error" and then the message; or a line "kernels", a line
// with the error of the code check, and per kernel a line of fifteen numbers and one with its
// name.
std::string serialise(const Result<TrialLowering> &result) {
    if (!result) return "error\n" + result.error().message;
    std::ostringstream out;
    std::string check = result->code_check_error;
    std::replace(check.begin(), check.end(), '\n', ' ');
    out << "kernels\n" << check << '\n';
    for (const KernelLaunch &kernel : result->kernels) {
        for (int64_t blocks : kernel.blocks) out << blocks << ' ';
        for (int64_t threads : kernel.threads) out << threads << ' ';
        out << kernel.func << ' ' << kernel.stage << ' ' << kernel.shared_bytes << ' '
            << kernel.most_shared_bytes << ' ' << kernel.at_estimates << ' ' << kernel.live_words
            << ' ' << kernel.values << ' ' << kernel.registers << ' ' << kernel.spill_bytes << '\n'
            << kernel.name << '\n';
    }
    return out.str();
}

std::optional<Result<TrialLowering>> parse_lowered(const std::string &text) {
    std::istringstream in(text);
    std::string kind;
    if (!std::getline(in, kind)) return std::nullopt;
    if (kind == "error") return Error{text.substr(kind.size() + 1)};
    if (kind != "kernels") return std::nullopt;
    TrialLowering lowered;
    std::getline(in, lowered.code_check_error);
    KernelLaunch kernel;
    while (in >> kernel.blocks[0] >> kernel.blocks[1] >> kernel.blocks[2] >> kernel.threads[0] >>
           kernel.threads[1] >> kernel.threads[2] >> kernel.func >> kernel.stage >>
           kernel.shared_bytes >> kernel.most_shared_bytes >> kernel.at_estimates >>
           kernel.live_words >> kernel.values >> kernel.registers >> kernel.spill_bytes) {
        in.ignore();
        std::getline(in, kernel.name);
        lowered.kernels.push_back(kernel);
    }
    return lowered;
}

// No exception may leave a trial: in a child it would run through the host's own code.
template <typename Lower>
Result<TrialLowering> caught(const Lower &lower) {
    try {
        return lower();
    } catch (const std::bad_alloc &) {
        return Error{"there is not enough memory to lower the schedule"};
    } catch (const std::exception &error) {
        return Error{std::string("the schedule can't be lowered: ") + error.what()};
    } catch (...) {
        return Error{"the schedule can't be lowered, for an unknown reason"};
    }
}

// Of an outcome that is no end.
std::string why_not_apart(const ApartOutcome &outcome) {
    const auto *failed = std::get_if<NotForked>(&outcome);
    return failed != nullptr
               ? std::string("no process can be forked: ") + std::strerror(failed->code)
               : "a forked process waits for a lock that another thread of this process held";
}

// What was found in all shares, which come first, or the first error of any.
Result<TrialLowering> together(std::vector<Result<TrialLowering>> results, size_t shares) {
    for (const Result<TrialLowering> &result : results) {
        if (!result) return result.error();
    }
    TrialLowering whole;
    for (Result<TrialLowering> &share : std::span(results).first(shares)) {
        std::ranges::move(share->kernels, std::back_inserter(whole.kernels));
        if (whole.code_check_error.empty()) whole.code_check_error = share->code_check_error;
    }
    return whole;
}

}  // namespace

std::optional<Result<TrialLowering>> ApartTrials::lower(
    const Schedule &schedule, const Halide::Pipeline &pipeline, const Halide::Target &target,
    double time_limit_s, const CodeCheck &check, std::span<const KeptRoot> only, Whole whole) {
    CodeCheck informed = check;
    informed.known = known_of_wholes_;
    if (!only.empty()) std::ranges::copy(known_of_parts_, std::back_inserter(informed.known));
    std::optional<Result<TrialLowering>> lowered =
        lower_apart(schedule, pipeline, target, time_limit_s, informed, only, whole);
    if (lowered && *lowered) {
        std::ranges::copy_if((*lowered)->kernels,
                             std::back_inserter(only.empty() ? known_of_wholes_ : known_of_parts_),
                             &KernelLaunch::is_assembled);
    }
    return lowered;
}

std::optional<Result<TrialLowering>> ApartTrials::lower_apart(
    const Schedule &schedule, const Halide::Pipeline &pipeline, const Halide::Target &target,
    double time_limit_s, const CodeCheck &check, std::span<const KeptRoot> only, Whole whole) {
    std::vector<std::function<Result<TrialLowering>(CompiledBy)>> trials;
    const Others others = whole == Whole::kept_small ? Others::kept_small : Others::left_out;
    const auto add = [&](TrialDepth depth, const CodeCheck &how, std::span<const KeptRoot> roots,
                         Share share) {
        trials.emplace_back([&, depth, roots, share](CompiledBy by) {
            return caught([&] {
                return trial_lower(schedule, pipeline, target, depth, how, roots, share, by,
                                   others);
            });
        });
    };
    const CodeCheck no_check;
    const size_t shares = shares_of(whole, only.size());
    for (size_t i = 0; i < shares; ++i) add(default_trial_depth(target), check, only, {i, shares});
    const bool sketches = whole == Whole::sketched || whole == Whole::nothing_else;
    if (sketches) add(TrialDepth::sketch, no_check, {}, {});

    std::vector<Result<TrialLowering>> results;
    if (record_.in_this_process.empty()) {
        // Several keep as many processes busy as it is.
        const CompiledBy by =
            trials.size() == 1 ? CompiledBy::two_processes : CompiledBy::this_process;
        std::vector<ApartWork> works;
        for (const auto &trial : trials) {
            works.emplace_back([&trial, by] { return serialise(trial(by)); });
        }
        for (const ApartOutcome &outcome : texts_from_children(works, time_limit_s)) {
            if (std::holds_alternative<OutOfTime>(outcome)) {
                ++record_.stopped;
                return std::nullopt;
            }
            if (const auto *ended = std::get_if<Ended>(&outcome)) {
                results.push_back(parse_lowered(ended->text)
                                      .value_or(Error{"Halide " + ending_text(ended->status) +
                                                      " while lowering the schedule"}));
            } else {
                record_.in_this_process = why_not_apart(outcome);
            }
        }
    }
    if (!record_.in_this_process.empty()) {
        results.clear();
        for (const auto &trial : trials) results.push_back(trial(CompiledBy::this_process));
    }
    ++record_.made;
    return together(std::move(results), shares);
}

}  // namespace autoschedule_gpu
