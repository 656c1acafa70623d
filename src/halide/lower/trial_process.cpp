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

#include "halide/apply/halide_error.h"
#include "halide/lower/apart.h"

namespace autoschedule_gpu {

namespace {

// Children at once. It does not depend on the machine: kernels that are alike as far as numbers
// tell take each other's registers within a share.
constexpr size_t kMostShares = 2;

// Children that lower so many kernels.
size_t shares_of(const TrialRequest &trial, size_t trials_at_once) {
    if (trial.whole == Whole::nothing_else) return 0;
    if (trials_at_once > 1 || trial.whole == Whole::around) return 1;
    return std::clamp<size_t>(trial.only.size(), 1, kMostShares);
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
        std::optional<Result<TrialLowering>> lowered;
        const auto why = halide_error([&] { lowered = lower(); });
        if (why) return Error{"the schedule can't be lowered. " + *why};
        return *std::move(lowered);
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

// What is lowered apart from the rest of a trial.
using Piece = std::function<Result<TrialLowering>(CompiledBy)>;
struct Pieces {
    std::vector<Piece> all;  // the shares, and then the sketch, if there is to be one
    size_t shares;
};

// All must outlive it.
Pieces pieces_of(const TrialRequest &trial, size_t trials_at_once, const Halide::Pipeline &pipeline,
                 const Halide::Target &target, const CodeCheck &check, const GivenSizes &sizes) {
    Pieces pieces{{}, shares_of(trial, trials_at_once)};
    const auto add = [&](TrialDepth depth, const CodeCheck &how, const AskedKernels &asked) {
        pieces.all.emplace_back([&trial, &pipeline, &target, &how, &sizes, depth,
                                 asked](CompiledBy by) {
            return caught([&] {
                return trial_lower(*trial.schedule, pipeline, target, depth, how, asked, by, sizes);
            });
        });
    };
    static const CodeCheck no_check;
    const Others others = trial.whole == Whole::around ? Others::kept_small : Others::left_out;
    for (size_t i = 0; i < pieces.shares; ++i) {
        add(default_trial_depth(target), check, {trial.only, others, {i, pieces.shares}});
    }
    const bool sketches = trial.whole == Whole::sketched || trial.whole == Whole::nothing_else;
    if (sketches) add(TrialDepth::sketch, no_check, {});
    return pieces;
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

Result<TrialLowering> made_here(const Pieces &pieces) {
    std::vector<Result<TrialLowering>> results;
    for (const Piece &piece : pieces.all) results.push_back(piece(CompiledBy::this_process));
    return together(std::move(results), pieces.shares);
}

// Of one trial, from what came of its pieces, all of which have ended or were out of time.
ApartTrials::Outcome outcome_of(const Pieces &pieces, std::span<const ApartOutcome> outcomes) {
    std::vector<Result<TrialLowering>> results;
    for (const ApartOutcome &outcome : outcomes) {
        const auto *ended = std::get_if<Ended>(&outcome);
        if (ended == nullptr) return std::nullopt;
        results.push_back(parse_lowered(ended->text)
                              .value_or(Error{"Halide " + ending_text(ended->status) +
                                              " while lowering the schedule"}));
    }
    return together(std::move(results), pieces.shares);
}

// Of all pieces of all trials, in their order.
std::vector<ApartOutcome> outcomes_of_children(const std::vector<Pieces> &trials,
                                               double time_limit_s) {
    std::vector<const Piece *> all;
    for (const Pieces &pieces : trials) {
        for (const Piece &piece : pieces.all) all.push_back(&piece);
    }
    // Several trials keep as many processes busy as it is. Shares of one do not end at the same
    // time.
    const CompiledBy by = trials.size() == 1 ? CompiledBy::two_processes : CompiledBy::this_process;
    std::vector<ApartWork> works;
    for (const Piece *piece : all) {
        works.emplace_back([piece, by] { return serialise((*piece)(by)); });
    }
    return texts_from_children(works, time_limit_s);
}

}  // namespace

CodeCheck ApartTrials::informed(const CodeCheck &check, const TrialRequest &trial) const {
    CodeCheck informed = check;
    informed.known = known_of_wholes_;
    if (!trial.only.empty()) std::ranges::copy(known_of_parts_, std::back_inserter(informed.known));
    return informed;
}

ApartTrials::Outcome ApartTrials::lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                        const Halide::Target &target, double time_limit_s,
                                        const CodeCheck &check, std::span<const KeptRoot> only,
                                        Whole whole) {
    const TrialRequest trial{&schedule, only, whole};
    return std::move(lower_together({&trial, 1}, pipeline, target, time_limit_s, check).front());
}

std::vector<ApartTrials::Outcome> ApartTrials::lower_together(std::span<const TrialRequest> trials,
                                                              const Halide::Pipeline &pipeline,
                                                              const Halide::Target &target,
                                                              double time_limit_s,
                                                              const CodeCheck &check) {
    std::vector<CodeCheck> checks;
    for (const TrialRequest &trial : trials) checks.push_back(informed(check, trial));
    std::vector<Pieces> pieces;
    for (size_t i = 0; i < trials.size(); ++i) {
        pieces.push_back(pieces_of(trials[i], trials.size(), pipeline, target, checks[i], sizes_));
    }
    std::vector<ApartOutcome> children;
    if (record_.in_this_process.empty()) children = outcomes_of_children(pieces, time_limit_s);
    for (const ApartOutcome &child : children) {
        const bool is_end =
            std::holds_alternative<Ended>(child) || std::holds_alternative<OutOfTime>(child);
        if (!is_end) record_.in_this_process = why_not_apart(child);
    }
    std::vector<Outcome> outcomes;
    std::span<const ApartOutcome> rest = children;
    for (size_t i = 0; i < trials.size(); ++i) {
        if (!record_.in_this_process.empty()) {
            outcomes.emplace_back(made_here(pieces[i]));
        } else {
            outcomes.push_back(outcome_of(pieces[i], rest.first(pieces[i].all.size())));
            rest = rest.subspan(pieces[i].all.size());
        }
        ++(outcomes.back() ? record_.made : record_.stopped);
        if (!outcomes.back() || !*outcomes.back()) continue;
        std::ranges::copy_if(
            (*outcomes.back())->kernels,
            std::back_inserter(trials[i].only.empty() ? known_of_wholes_ : known_of_parts_),
            &KernelLaunch::is_assembled);
    }
    return outcomes;
}

}  // namespace autoschedule_gpu
