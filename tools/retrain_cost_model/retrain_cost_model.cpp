// retrain_cost_model: weights of the learned cost model from measured samples, and a report card of
// what they are worth. Parses arguments, calls src/learn/train, shows its tables.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "common/command_line.h"
#include "common/progress_line.h"
#include "common/stop_signal.h"
#include "core/support/file.h"
#include "learn/train/held_out.h"
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
        doing << (p.training == 0 ? "weights" : "judging " + std::to_string(p.training))
              << ", epoch " << p.epoch.number << ", loss " << p.epoch.loss << ", held-out accuracy "
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

// What all trainings of a call share.
struct Call {
    const RetrainOptions &options;
    RetrainRequest request;
    Dataset dataset;
    std::optional<EarlierWeights> init;
    ThreadPool pool;
    Progress progress;
};

// Checks that the pipelines of these names can be held out, and that the initial weights have not
// seen them.
Status check_held_out(const Call &call, const std::string &option,
                      const std::vector<std::string> &names) {
    const Result<std::vector<size_t>> positions = held_out_positions(call.dataset, names);
    if (!positions) return Error{option + ": " + positions.error().message};
    if (!call.init) return Ok{};
    const std::vector<TrainedPipeline> seen =
        trained_pipelines(call.init->weights.origin.trained_from);
    for (const size_t i : *positions) {
        const std::string &name = call.dataset.pipelines[i].name;
        if (std::ranges::find(seen, name, &TrainedPipeline::name) == seen.end()) continue;
        return Error{"--init: " + call.init->path + " was trained on " + name +
                     ", which no training is to see"};
    }
    return Ok{};
}

Result<Retrained> train_and_judge(Call &call) {
    Result<Retrained> retrained =
        retrain(call.dataset, call.request, call.pool, std::ref(call.progress));
    call.progress.clear();
    return retrained;
}

ReportCard card_of(Call &call, const Retrained &retrained,
                   const std::optional<EarlierWeights> &in_place) {
    std::vector<EarlierWeights> earlier;
    if (call.init) earlier.push_back(*call.init);
    if (in_place && in_place->path != call.options.init) earlier.push_back(*in_place);
    ReportCard card =
        make_report_card(call.dataset, retrained, call.request.training, earlier, call.pool);
    // The network began with what these had seen.
    if (call.init) card.models.front().seen = card.models[1].seen;
    if (in_place) card.comparison = compare(retrained, call.dataset, in_place->weights, call.pool);
    if (retrained.judged_folds > 0) {
        card.verdict = verdict_of(retrained, call.dataset, in_place, call.init, call.pool);
    }
    return card;
}

Weights weights_of(const Call &call, const Retrained &retrained, const ReportCard &card) {
    const Dataset &dataset = call.dataset;
    return {.origin = {.device = dataset.origin.device,
                       .gpu = dataset.origin.gpu.name,
                       .trained_from =
                           trained_from_text(dataset, retrained.held_out, retrained.never_seen),
                       .date = dataset.origin.date,
                       .command = command_text(call.options, call.request.training),
                       .seed = call.request.training.seed},
            .card = summary(card),
            .network = retrained.training.network};
}

// Writes the card, shows it, and ends with the verdict.
int report(const Call &call, const ReportCard &card) {
    const Status reported = write_file(call.options.report, report_card_json(card));
    std::cout << terminal_text(report_card_tables(card));
    if (!reported) return fail(reported.error().message, kFailed);
    std::cout << "verdict: "
              << (card.verdict ? verdict_text(card.verdict->difference, card.verdict->in_use)
                               : "none, training was stopped before anything was judged")
              << "\n";
    return 0;
}

int retrain_one(Call &call) {
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
    if (!put) return fail(put.error().message, kFailed);
    if (const int code = report(call, card); code != 0) return code;
    if (!*put) return fail(a.out + ": " + card.decision, kFailed);
    std::cout << a.out << ": " << card.decision << "\n";
    return 0;
}

std::string weights_path(const std::string &folder, const std::string &application) {
    return folder + "/" + application.substr(kApplicationPrefix.size()) + ".weights";
}

// Trains without one application after the other; each file is written when it is trained, so that
// those that are there are whole wherever this ends.
int leave_one_out(Call &call) {
    const std::string &folder = call.options.out;
    const std::vector<std::string> applications = applications_of(call.dataset);
    if (applications.empty()) {
        return fail("--leave-one-out: the samples are of no application", kBadUsage);
    }
    if (!fs::is_directory(folder)) {
        return fail("--out: " + folder + ": expected an existing folder", kBadUsage);
    }
    for (const std::string &name : applications) {
        const std::string path = weights_path(folder, name);
        if (!call.options.force && fs::exists(path)) {
            return fail("--out: " + path + " is there already; --force replaces it", kBadUsage);
        }
        const Status held_out = check_held_out(call, "--leave-one-out", {name});
        if (!held_out) return fail(held_out.error().message, kBadUsage);
    }
    std::vector<Retrained> all;
    for (const std::string &name : applications) {
        call.request.hold_out = {name};
        Result<Retrained> retrained = train_and_judge(call);
        if (!retrained) return fail(retrained.error().message, kBadUsage);
        const ReportCard card = card_of(call, *retrained, std::nullopt);
        const std::string path = weights_path(folder, name);
        const Status written = write_weights(path, weights_of(call, *retrained, card));
        if (!written) return fail(written.error().message, kFailed);
        std::cout << path << ": written\n";
        all.push_back(std::move(retrained).value());
        if (stop_was_asked()) break;
    }
    const Retrained together = put_together(all);
    ReportCard card = card_of(call, together, std::nullopt);
    card.decision = "written, a file for each application";
    return report(call, card);
}

int run(const RetrainOptions &a) {
    Result<RetrainRequest> asked = request_of(a);
    if (!asked) return fail(asked.error().message, kBadUsage);
    RetrainRequest request = std::move(asked).value();
    for (const auto &[option, path] : {std::pair{"--out", a.out}, {"--report", a.report}}) {
        const Status folder = check_folder(option, path);
        if (!folder) return fail(folder.error().message, kBadUsage);
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
    }
    catch_stop_signals();
    Call call{.options = a,
              .request = std::move(request),
              .dataset = std::move(dataset).value(),
              .init = std::move(init),
              .pool = ThreadPool(a.threads),
              .progress = {}};
    return a.leave_one_out ? leave_one_out(call) : retrain_one(call);
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Trains the learned cost model from measured samples and judges it on pipelines that it\n"
        "has not seen, beside the models that need no training. The last words are a verdict: "
        "better,\n"
        "worse or undecided against what is in use, the weights at --out, or without any the\n"
        "roofline. Ctrl-C ends training after the epoch at hand and writes the best weights so "
        "far.\n"
        "See weights/README.md.\n"
        "Exit status: 0 the weights are written, 1 they are not (those in place rank better, or\n"
        "a file could not be written), 2 bad input.");
    RetrainOptions options;
    add_retrain_options(app, options);
    show_errors_in_one_line(app, "retrain_cost_model");
    if (const auto done = parse_command_line(app, argc, argv)) return *done;
    return run(options);
}
