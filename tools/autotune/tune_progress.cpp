#include "autotune/tune_progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/process/subprocess.h"
#include "present/text.h"

namespace autoschedule_gpu {
namespace {

std::string ms_text(double ms) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g ms", ms);
    return text;
}

// Returns how much time of each kind of work is left if it goes on at the same rate.
std::string times_left(const TuneState &state) {
    if (!state.left || state.trials >= state.trials_wanted) return "";
    const WorkLeft &left = *state.left;
    char text[128];
    std::snprintf(text, sizeof text,
                  "%.0f s pricing, %.0f s compiling, %.0f s running, %.0f s training", left.price,
                  left.compile, left.run, left.train);
    return text;
}

std::string best_text(const TuneState &state) {
    if (!state.best_ms) return "";
    std::string text = "best " + ms_text(*state.best_ms);
    if (state.default_ms) text += ", untuned " + ms_text(*state.default_ms);
    return text + "; ";
}

std::string doing_text(const TuneState &state) {
    if (state.built == 0) return state.doing;
    return state.doing + ", " + std::to_string(state.built) + " compiled";
}

std::string known_text(const TuneState &state) {
    if (state.known == 0) return "";
    return " (" + std::to_string(state.known) + " known from earlier calls)";
}

std::string interval_text(const Finalist &finalist) {
    char text[96];
    std::snprintf(text, sizeof text, "%.4g ms (%.4g to %.4g with %.0f %%)", finalist.median_ms,
                  finalist.interval_ms.low, finalist.interval_ms.high,
                  100 * finalist.interval_ms.confidence);
    return text;
}

// Says where all of them are shown.
std::string failures_text(const std::vector<FailedTrials> &failures, const std::string &records) {
    std::string text;
    for (const FailedTrials &failed : failures) {
        const bool is_mixed = failed.of_that_reason < failed.count;
        text += (text.empty() ? "  failed   " : "           ") + std::to_string(failed.count) +
                " " + std::string(to_string(failed.kind)) + (is_mixed ? ", most often: " : ": ") +
                clean_text(failed.reason) + "\n";
    }
    if (text.empty()) return "";
    return text + "           all of them: " +
           shell_text({"records", "list", "--failed", "--records", records}) + "\n";
}

// From the least that both intervals allow to the most.
std::string gain_text(const Finalist &usual, const Finalist &best) {
    const ConfidenceInterval &slow = usual.interval_ms, &fast = best.interval_ms;
    char text[96];
    std::snprintf(text, sizeof text, "the best is %.3f times as fast (%.3f to %.3f)",
                  usual.median_ms / best.median_ms, slow.low / fast.high, slow.high / fast.low);
    return text;
}

}  // namespace

TuneProgress::TuneProgress(std::string name)
    : name_(std::move(name)),
      line_(
          "stopping: what runs is finished, and the best so far is exported; a second Ctrl-C ends "
          "at once") {}

void TuneProgress::show(const TuneState &state) {
    std::optional<TimeLeft> left;
    if (state.left_s) {
        left = TimeLeft{.seconds = *state.left_s,
                        .is_least = state.is_open_ended,
                        .of_what = times_left(state)};
    }
    // What matters most stands first: a terminal may be narrow.
    line_.show(state.trials, std::max(state.trials, state.trials_wanted),
               name_ + ": " + best_text(state) + doing_text(state) + " (" +
                   std::to_string(state.measured) + " measured, " + std::to_string(state.failed) +
                   " failed)",
               left);
}

std::string text_of(const TuneResult &result, const std::string &records) {
    std::string text =
        result.pipeline.name + " " + result.pipeline.size + " on " + result.environment.device +
        ": " + std::to_string(result.state.trials) + " trials" + known_text(result.state) + ", " +
        std::to_string(result.state.measured) + " measured, " +
        std::to_string(result.state.failed) + " failed\n" + failures_text(result.failures, records);
    if (result.all_drawn) {
        text += "  draws    led to " + std::to_string(*result.all_drawn) +
                " different schedules and then to no further ones: there are few at this size\n";
    }
    if (result.recording == Recording::has_ended) {
        text += "  replay   the recording ends here: its run made no further trial\n";
    }
    text += "  best     " + interval_text(result.best) + ": " + result.winner + "\n";
    if (result.found_by == FoundBy::earlier_run) {
        text += "           of an earlier run, which nothing here has beaten in finals\n";
    }
    if (result.usual) {
        text += "  untuned  " + interval_text(*result.usual) + "\n";
        text += "  gain     " + gain_text(*result.usual, result.best) + "\n";
    }
    if (!result.difference.empty()) text += "  changes  " + result.difference + "\n";
    text += "  header   " + result.exported.header_path + "\n";
    text += "  trace    " + result.exported.trace_path + "\n";
    text += "  again    " + result.exported.command + "\n";
    text += "  page     " + result.page_path + "\n";
    return text;
}

}  // namespace autoschedule_gpu
