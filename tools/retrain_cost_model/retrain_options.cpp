#include "retrain_cost_model/retrain_options.h"

#include <charconv>
#include <limits>
#include <sstream>

namespace autoschedule_gpu {
namespace {

std::string number_text(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

// Returns nullopt for "auto", which leaves the choice to retrain().
Result<std::optional<size_t>> folds_of(const std::string &text) {
    if (text == "auto") return std::optional<size_t>();
    size_t folds = std::numeric_limits<size_t>::max();
    if (text == "all") return std::optional(folds);
    const char *end = text.data() + text.size();
    const auto number = std::from_chars(text.data(), end, folds);
    if (number.ec != std::errc() || number.ptr != end || folds < 2) {
        return Error{"--folds: expected auto, all or a number from 2 on, found " + text};
    }
    return std::optional(folds);
}

}  // namespace

void add_retrain_options(CLI::App &app, RetrainOptions &a) {
    TrainingSettings &training = a.training;
    app.add_option("--samples", a.samples, "sample files, and folders of NAME.samples; one device")
        ->required();
    app.add_option("--init", a.init, "weights to begin with; else they are drawn at random");
    app.add_option("--adapt", a.adapt,
                   "heads: of --init, train the last layer only, for a new device with a few "
                   "hundred samples")
        ->check(CLI::IsMember({"heads"}));
    app.add_option("--out", a.out,
                   "the weights file to write; with --leave-one-out the folder for them")
        ->required();
    app.add_option("--report", a.report, "the report card to write, as JSON")->required();
    app.add_option("--epochs", training.epochs, "passes over the samples, at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000));
    app.add_option("--patience", training.patience,
                   "epochs without a better one on held-out pipelines, after which training stops")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000));
    app.add_option("--seed", training.seed, "equal seeds and samples give equal weights")
        ->capture_default_str();
    app.add_option("--loss", a.loss,
                   "l2: of relative throughputs; pairwise: of the order of pairs; both: their sum")
        ->capture_default_str()
        ->check(CLI::IsMember(kLossNames));
    app.add_option("--learning-rate", training.learning_rate,
                   "of ADAM, at its greatest; else " + number_text(kLearningRate) +
                       ", with --adapt " + number_text(kHeadsLearningRate))
        ->check(CLI::Range(1e-8, 1.0));
    app.add_option("--batch", training.batch, "schedules of a step of ADAM")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000));
    CLI::Option *folds = app.add_option(
        "--folds", a.folds,
        "what is held out together to judge: all: each pipeline by itself; a number of folds of "
        "pipelines; auto: all up to 10 pipelines, else 5 folds. There are none with --hold-out or "
        "--leave-one-out, which say themselves what is judged");
    folds->capture_default_str();
    CLI::Option *hold_out = app.add_option(
        "--hold-out", a.hold_out,
        "pipelines that no training sees, as app:harris; the card judges on these; app:* is every "
        "application");
    hold_out->excludes(folds);
    app.add_flag("--leave-one-out", a.leave_one_out,
                 "for each application of the samples, train weights that have seen all pipelines "
                 "but this, and judge them on it")
        ->excludes(hold_out)
        ->excludes(folds);
    app.add_option("--seeds", a.seeds,
                   "how often all trainings are repeated for judging, with other seeds; the "
                   "weights are of the first")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--threads", a.threads, "0: one per core; the weights are the same")
        ->capture_default_str()
        ->check(CLI::Range(0, 4096));
    app.add_flag("--force", a.force, "replace the file --out even by weights that rank worse");
}

Result<RetrainRequest> request_of(const RetrainOptions &a) {
    RetrainRequest request{.training = a.training, .hold_out = a.hold_out, .seeds = a.seeds};
    request.training.loss = *loss_of_name(a.loss);
    if (!a.adapt.empty()) {
        if (a.init.empty()) return Error{"--adapt: expected --init, the weights to adapt"};
        request.training.part = TrainedPart::heads;
    }
    const Result<std::optional<size_t>> folds = folds_of(a.folds);
    if (!folds) return folds.error();
    if (*folds) request.folds = **folds;
    return request;
}

std::string command_text(const RetrainOptions &a, const TrainingSettings &training) {
    std::ostringstream text;
    text << "retrain_cost_model --samples";
    for (const std::string &path : a.samples) text << " " << path;
    if (!a.init.empty()) text << " --init " << a.init;
    if (!a.adapt.empty()) text << " --adapt " << a.adapt;
    text << " --epochs " << training.epochs << " --seed " << training.seed << " --loss " << a.loss
         << " --learning-rate " << learning_rate_of(training) << " --batch " << training.batch
         << " --patience " << training.patience;
    if (a.hold_out.empty() && !a.leave_one_out) text << " --folds " << a.folds;
    text << " --seeds " << a.seeds;
    for (const std::string &pipeline : a.hold_out) text << " --hold-out '" << pipeline << "'";
    if (a.leave_one_out) text << " --leave-one-out";
    return text.str();
}

}  // namespace autoschedule_gpu
