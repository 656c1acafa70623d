// retrain_cost_model: weights of the learned cost model from measured samples, and a report card of
// what they are worth. Parses arguments, calls src/learn/train, shows its tables.
#include <filesystem>
#include <iostream>
#include <sstream>

#include "common/command_line.h"
#include "common/progress_line.h"
#include "common/stop_signal.h"
#include "core/support/file.h"
#include "learn/train/provenance.h"
#include "learn/train/replacement.h"
#include "present/terminal.h"
#include "retrain_cost_model/retrain_options.h"
#include "scheduler/model/weights_file.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

int fail(const std::string &message, int code) {
    std::cerr << "retrain_cost_model: " << message << "\n";
    return code;
}

// Checks this first, so that no hours of training are lost.
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

int run(const RetrainOptions &a) {
    Result<RetrainRequest> read = request_of(a);
    if (!read) return fail(read.error().message, kBadUsage);
    RetrainRequest request = std::move(read).value();
    for (const auto &[option, path] : {std::pair{"--out", a.out}, {"--report", a.report}}) {
        const Status folder = check_folder(option, path);
        if (!folder) return fail(folder.error().message, kBadUsage);
    }
    const Result<Dataset> dataset = read_dataset(a.samples);
    if (!dataset) return fail(dataset.error().message, kBadUsage);
    for (const std::string &path : dataset->torn_files) {
        std::cerr << "retrain_cost_model: " << path << ": its last record is cut short, left out\n";
    }
    std::vector<EarlierWeights> earlier;
    if (!a.init.empty()) {
        Result<Weights> init = read_weights(a.init);
        if (!init) return fail("--init: " + init.error().message, kBadUsage);
        request.start = init->network;
        earlier.push_back({a.init, std::move(init).value()});
    }
    const Replace replace = a.force ? Replace::always : Replace::unless_better;
    const auto in_place = weights_in_place(a.out, dataset->origin.device, replace);
    if (!in_place) return fail("--out: " + in_place.error().message, kBadUsage);
    if (*in_place && a.out != a.init) earlier.push_back({a.out, **in_place});

    catch_stop_signals();
    ThreadPool pool(a.threads);
    Progress progress;
    const Result<Retrained> retrained = retrain(*dataset, request, pool, std::ref(progress));
    progress.clear();
    if (!retrained) return fail(retrained.error().message, kBadUsage);

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
    std::cout << terminal_text(report_card_tables(card));
    if (!reported) return fail(reported.error().message, kFailed);
    if (!*put) return fail(a.out + ": " + card.decision, kFailed);
    std::cout << a.out << ": " << card.decision << "\n";
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "retrain_cost_model",
        .what = "Trains the learned cost model from measured samples and judges it on "
                "pipelines that it has not seen, beside the models that need no training. "
                "Ctrl-C ends training after the epoch at hand and writes the best weights so "
                "far. See weights/README.md.",
        .examples = "retrain_cost_model --samples A100.samples --out my.weights --report card.json",
        .statuses = "0 the weights are written, 1 they are not (those in place rank better, or a "
                    "file could not be written), 2 bad input",
    });
    RetrainOptions options;
    add_retrain_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(options);
}
