// What all trainings of one call of retrain_cost_model share, and the steps of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/command_line.h"
#include "common/progress_line.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/stopwatch.h"
#include "learn/train/report_card.h"
#include "learn/train/retrain.h"
#include "retrain_cost_model/retrain_options.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

// Shows at most once a second how far the trainings are.
class TrainingProgress {
public:
    // Returns false once the user has asked for the end.
    bool operator()(const RetrainProgress &progress);
    void clear() { line_.clear(); }

private:
    ProgressLine line_;
    Stopwatch last_;
};

struct TrainingCall {
    const RetrainOptions &options;
    RetrainRequest request;
    Dataset dataset;
    std::optional<EarlierWeights> init;
    ThreadPool pool;
    TrainingProgress progress;
};

inline constexpr FailureOf fail("retrain_cost_model");

// Checks that the pipelines of these names can be held out, and that the initial weights have not
// seen them. Errors begin with the option that is wrong.
Status check_held_out(const TrainingCall &call, const std::string &option,
                      const std::vector<std::string> &names);

Result<Retrained> train_and_judge(TrainingCall &call);

// Makes the card, beside the initial weights and those that are to be replaced.
ReportCard card_of(TrainingCall &call, const Retrained &retrained,
                   const std::optional<EarlierWeights> &in_place);

Weights weights_of(const TrainingCall &call, const Retrained &retrained, const ReportCard &card);

// Writes the card, shows it, and ends with the verdict. Returns the exit status.
int report(const TrainingCall &call, const ReportCard &card);

}  // namespace autoschedule_gpu
