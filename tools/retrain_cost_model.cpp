// retrain_cost_model: weights of the learned cost model from measured samples, and a report card of
// what they are worth. Parses arguments, calls src/train, shows its tables.
#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <limits>
#include <sstream>

#include "compare/terminal.h"
#include "one_line_errors.h"
#include "progress_line.h"
#include "stop_signal.h"
#include "support/file.h"
#include "train/provenance.h"
#include "train/replacement.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kBadInput = 2;

struct Arguments {
    std::vector<std::string> samples;
    std::string init, out, report;
    std::string loss = "both", adapt, folds = "auto";
    TrainingSettings training;
    int threads = 0;
    bool force = false;
};

int fail(const std::string &message, int code) {
    std::cerr << "retrain_cost_model: " << message << "\n";
    return code;
}

std::string number_text(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

// What the weights depend on, so that equal weights are equal files.
std::string command_text(const Arguments &a, const TrainingSettings &training) {
    std::ostringstream text;
    text << "retrain_cost_model --samples";
    for (const std::string &path : a.samples) text << " " << path;
    if (!a.init.empty()) text << " --init " << a.init;
    if (!a.adapt.empty()) text << " --adapt " << a.adapt;
    text << " --epochs " << training.epochs << " --seed " << training.seed << " --loss " << a.loss
         << " --learning-rate " << learning_rate_of(training) << " --batch " << training.batch
         << " --patience " << training.patience << " --folds " << a.folds;
    return text.str();
}

Result<RetrainRequest> request_of(const Arguments &a) {
    RetrainRequest request{.training = a.training};
    request.training.loss = *loss_of_name(a.loss);
    if (!a.adapt.empty()) {
        if (a.init.empty()) return Error{"--adapt: expected --init, the weights to adapt"};
        request.training.part = TrainedPart::heads;
    }
    if (a.folds == "auto") return request;
    size_t folds = std::numeric_limits<size_t>::max();
    if (a.folds != "all") {
        const char *end = a.folds.data() + a.folds.size();
        const auto number = std::from_chars(a.folds.data(), end, folds);
        if (number.ec != std::errc() || number.ptr != end || folds < 2) {
            return Error{"--folds: expected auto, all or a number from 2 on, found " + a.folds};
        }
    }
    request.folds = folds;
    return request;
}

// Found out before hours of training are lost.
Status check_folder(const std::string &option, const std::string &path) {
    const fs::path folder = fs::absolute(path).parent_path();
    if (fs::is_directory(folder)) return Ok{};
    return Error{option + ": " + path + ": expected an existing folder, found no " +
                 folder.string()};
}

class Progress {
public:
    bool operator()(const RetrainProgress &p) {
        if (p.epoch.number > 1 && last_.seconds() < 1) return !stop_was_asked();
        last_ = Stopwatch();
        std::ostringstream doing;
        doing.precision(4);
        doing << (p.training == 0 ? "weights" : "fold " + std::to_string(p.training)) << ", epoch "
              << p.epoch.number << ", loss " << p.epoch.loss << ", held-out accuracy "
              << p.epoch.held_out_accuracy;
        const auto done = static_cast<int>(p.training) * p.epochs + p.epoch.number;
        line_.show(done, static_cast<int>(p.trainings) * p.epochs, doing.str());
        return !stop_was_asked();
    }
    void clear() { line_.clear(); }

private:
    ProgressLine line_;
    Stopwatch last_;
};

int run(const Arguments &a) {
    Result<RetrainRequest> read = request_of(a);
    if (!read) return fail(read.error().message, kBadInput);
    RetrainRequest request = std::move(read).value();
    for (const auto &[option, path] : {std::pair{"--out", a.out}, {"--report", a.report}}) {
        const Status folder = check_folder(option, path);
        if (!folder) return fail(folder.error().message, kBadInput);
    }
    const Result<Dataset> dataset = read_dataset(a.samples);
    if (!dataset) return fail(dataset.error().message, kBadInput);
    for (const std::string &path : dataset->torn_files) {
        std::cerr << "retrain_cost_model: " << path << ": its last record is cut short, left out\n";
    }
    std::vector<EarlierWeights> earlier;
    if (!a.init.empty()) {
        Result<Weights> init = read_weights(a.init);
        if (!init) return fail("--init: " + init.error().message, kBadInput);
        request.start = init->network;
        earlier.push_back({a.init, std::move(init).value()});
    }
    const Replace replace = a.force ? Replace::always : Replace::unless_better;
    const auto in_place = weights_in_place(a.out, dataset->origin.device, replace);
    if (!in_place) return fail("--out: " + in_place.error().message, kBadInput);
    if (*in_place && a.out != a.init) earlier.push_back({a.out, **in_place});

    catch_stop_signals();
    ThreadPool pool(a.threads);
    Progress progress;
    const Result<Retrained> retrained = retrain(*dataset, request, pool, std::ref(progress));
    progress.clear();
    if (!retrained) return fail(retrained.error().message, kBadInput);

    ReportCard card = make_report_card(*dataset, *retrained, request.training, earlier, pool);
    if (*in_place) card.comparison = compare(*retrained, *dataset, **in_place, pool);
    const Weights weights{
        .origin = {.device = dataset->origin.device,
                   .gpu = dataset->origin.gpu.name,
                   .trained_from = trained_from_text(*dataset, retrained->held_out),
                   .date = dataset->origin.date,
                   .command = command_text(a, request.training),
                   .seed = a.training.seed},
        .card = summary(card),
        .network = retrained->training.network};
    const Result<bool> put = put_in_place(a.out, weights, replace, card);
    if (!put) return fail(put.error().message, kFailed);
    const Status reported = write_file(a.report, report_card_json(card));
    for (const Table &table : report_card_tables(card)) std::cout << terminal_text(table);
    if (!reported) return fail(reported.error().message, kFailed);
    if (!*put) return fail(a.out + ": " + card.decision, kFailed);
    std::cout << a.out << ": " << card.decision << "\n";
    return 0;
}

void add_options(CLI::App &app, Arguments &a) {
    TrainingSettings &training = a.training;
    app.add_option("--samples", a.samples, "sample files, and folders of NAME.samples; one device")
        ->required();
    app.add_option("--init", a.init, "weights to begin with; else they are drawn at random");
    app.add_option("--adapt", a.adapt,
                   "heads: of --init, train the last layer only, for a new device with a few "
                   "hundred samples")
        ->check(CLI::IsMember({"heads"}));
    app.add_option("--out", a.out, "the weights file to write")->required();
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
    app.add_option("--folds", a.folds,
                   "what is held out together to judge: all: each pipeline by itself; a number of "
                   "folds of pipelines; auto: all up to 10 pipelines, else 5 folds")
        ->capture_default_str();
    app.add_option("--threads", a.threads, "0: one per core; the weights are the same")
        ->capture_default_str()
        ->check(CLI::Range(0, 4096));
    app.add_flag("--force", a.force, "replace the file --out even by weights that rank worse");
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Trains the learned cost model from measured samples and judges it on pipelines that it\n"
        "has not seen, beside the models that need no training. Ctrl-C ends training after the\n"
        "epoch at hand and writes the best weights so far. See weights/README.md.\n"
        "Exit status: 0 the weights are written, 1 they are not (those in place rank better, or\n"
        "a file could not be written), 2 bad input.");
    Arguments arguments;
    add_options(app, arguments);
    show_errors_in_one_line(app, "retrain_cost_model");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadInput;
    }
    return run(arguments);
}
