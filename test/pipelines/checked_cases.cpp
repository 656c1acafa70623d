#include "pipelines/checked_cases.h"

#include <optional>

namespace autoschedule_gpu::testing {

namespace {

CheckResult result_of(const IsolatedOutcome &outcome) {
    using Kind = IsolatedOutcome::Kind;
    if (outcome.kind == Kind::finished) return CheckResult::from_json(outcome.result);
    CheckResult result;
    result.verdict = outcome.kind == Kind::crashed ? Verdict::crashed : Verdict::timed_out;
    result.reason = outcome.detail;
    return result;
}

}  // namespace

std::vector<NamedCase> random_cases(uint64_t from, uint64_t to, bool wide_types, Family family) {
    std::vector<NamedCase> cases;
    for (uint64_t seed = from; seed < to; ++seed) {
        cases.push_back({"seed " + std::to_string(seed),
                         [=] { return make_random_pipeline(seed, wide_types, family); }});
    }
    return cases;
}

void check_cases(
    const std::vector<NamedCase> &cases, const Scheduler &scheduler, const CheckOptions &options,
    const IsolatedOptions &isolation,
    const std::function<void(const NamedCase &, const CheckResult &, double)> &report) {
    // Made in the child at its first job: Halide and the plugin may start threads.
    std::optional<PipelineChecker> checker;
    const auto job = [&](size_t i) {
        CheckResult failure;
        failure.verdict = Verdict::autoscheduler_error;
        try {
            if (!checker) checker.emplace(scheduler, options);
            failure.verdict = Verdict::invalid_case;
            return checker->check(cases[i].make).to_json();
        } catch (const Halide::Error &error) {  // not a std::exception
            failure.reason = error.what();
        } catch (const std::exception &error) {
            failure.reason = error.what();
        }
        return failure.to_json();
    };
    run_isolated(cases.size(), job, isolation, [&](size_t i, const IsolatedOutcome &outcome) {
        report(cases[i], result_of(outcome), outcome.seconds);
    });
}

}  // namespace autoschedule_gpu::testing
