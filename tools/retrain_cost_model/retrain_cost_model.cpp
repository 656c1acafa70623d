// retrain_cost_model: weights of the learned cost model from measured samples, and a report card of
// what they are worth. Parses arguments, calls src/learn/train, shows its tables.
#include <filesystem>
#include <iostream>

#include "common/command_line.h"
#include "common/stop_signal.h"
#include "core/support/file.h"
#include "learn/train/replacement.h"
#include "retrain_cost_model/leave_one_out.h"
#include "retrain_cost_model/training_call.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

// Checks this first, so that no hours of training are lost.
Status check_folder(const std::string &option, const std::string &path) {
    const std::string folder = fs::path(absolute_path(path)).parent_path().string();
    if (is_folder(folder)) return Ok{};
    return Error{option + ": " + path + ": expected an existing folder, found no " + folder};
}

Status check_place(const std::string &option, const std::string &path) {
    const Result<std::string> place = canonical_path(path);
    if (!place) return Error{option + ": " + place.error().message};
    if (Status folder = check_folder(option, path); !folder) return folder;
    if (Status can = can_write_file(path); !can) return Error{option + ": " + can.error().message};
    return Ok{};
}

// The report would replace what is read.
Status check_report_is_new(const RetrainOptions &a) {
    if (!a.init.empty() && is_same_file(a.init, a.report)) {
        return Error{"--init and --report: " + a.init + " can't be both"};
    }
    for (const std::string &path : a.samples) {
        const fs::path report = absolute_path(a.report);
        const bool is_in_folder =
            report.extension() == ".samples" && is_same_file(report.parent_path(), path);
        if (!is_in_folder && !is_same_file(path, a.report)) continue;
        return Error{"--samples and --report: " + a.report + " can't be both"};
    }
    return Ok{};
}

// That of the report and that of the weights, which are a file or, of several, a folder.
Status check_places(const RetrainOptions &a) {
    if (Status report = check_place("--report", a.report); !report) return report;
    if (Status is_new = check_report_is_new(a); !is_new) return is_new;
    if (a.leave_one_out) return check_folder("--out", a.out);
    if (is_same_file(a.out, a.report)) {
        return Error{"--out and --report: " + a.out + " can't be both"};
    }
    return check_place("--out", a.out);
}

int retrain_one(TrainingCall &call) {
    const RetrainOptions &a = call.options;
    const Status held_out = check_held_out(call, "--hold-out", a.hold_out);
    if (!held_out) return fail(held_out.error().message, kBadUsage);
    const Replace replace = a.force ? Replace::always : Replace::unless_better;
    const auto read = weights_in_place(a.out, call.dataset.origin.device, replace);
    if (!read) return fail("--out: " + read.error().message, kBadUsage);
    std::optional<EarlierWeights> in_place;
    if (*read) in_place = {a.out, **read};
    const Result<Retrained> retrained = train_and_judge(call);
    if (!retrained) return fail(retrained.error().message, kBadUsage);

    ReportCard card = card_of(call, *retrained, in_place);
    const Result<bool> put = put_in_place(a.out, weights_of(call, *retrained, card), replace, card);
    // The report comes even if the weights could not be written: it took as long to find.
    const int reported = report(call, card);
    if (!put) return fail(put.error().message, kFailed);
    if (reported != 0) return reported;
    if (!*put) return fail(a.out + ": " + card.decision, kFailed);
    std::cout << a.out << ": " << card.decision << "\n";
    return 0;
}

int run(const RetrainOptions &a) {
    Result<RetrainRequest> asked = request_of(a);
    if (!asked) return fail(asked.error().message, kBadUsage);
    RetrainRequest request = std::move(asked).value();
    if (const Status places = check_places(a); !places) {
        return fail(places.error().message, kBadUsage);
    }
    Result<Dataset> dataset = read_dataset(a.samples);
    if (!dataset) return fail(dataset.error().message, kBadUsage);
    for (const std::string &path : dataset->torn_files) {
        std::cerr << "retrain_cost_model: " << path << ": its last record is cut short, left out\n";
    }
    std::optional<EarlierWeights> init;
    if (!a.init.empty()) {
        Result<Weights> read = read_weights(a.init);
        if (!read) return fail("--init: " + read.error().message, kBadUsage);
        init = {a.init, std::move(read).value()};
        request.start = init->weights.network;
        for (const TrainedPipeline &seen : seen_by(init)) request.seen.push_back(seen.name);
        if (request.seen.empty()) {
            std::cerr << "retrain_cost_model: --init: " << a.init
                      << " does not say which pipelines it was trained on: where they are among "
                         "these samples, all figures flatter the network\n";
        }
    }
    catch_stop_signals();
    TrainingCall call{.options = a,
                      .request = std::move(request),
                      .dataset = std::move(dataset).value(),
                      .init = std::move(init),
                      .pool = ThreadPool(a.threads),
                      .progress = {}};
    return a.leave_one_out ? leave_one_out(call) : retrain_one(call);
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "retrain_cost_model",
        .what = "Trains the learned cost model from measured samples and judges it on "
                "pipelines that it has not seen, beside the models that need no training. "
                "Ends with a verdict: better, worse or undecided against what is in use, the "
                "weights at --out, or without any the roofline. Ctrl-C ends training after the "
                "epoch at hand and writes the best weights so far, unless there are others at "
                "--out and nothing was judged. See weights/README.md.",
        .examples = "retrain_cost_model --samples A100.samples --out my.weights --report card.json",
        .statuses = "0 the weights are written, 1 they are not (those in place rank better "
                    "or can't be compared, or a file could not be written), 2 bad input, "
                    "130 --leave-one-out was stopped before all applications were done",
    });
    RetrainOptions options;
    add_retrain_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(options);
}
