#include "retrain_cost_model/leave_one_out.h"

#include <iostream>

#include "common/command_line.h"
#include "common/stop_signal.h"
#include "core/support/file.h"
#include "learn/train/held_out.h"

namespace autoschedule_gpu {
namespace {

std::string weights_path(const std::string &folder, const std::string &application) {
    return folder + "/" + application.substr(kApplicationPrefix.size()) + ".weights";
}

// Checks this first, so that no hours of training are lost.
Status check_applications(const TrainingCall &call, const std::vector<std::string> &applications) {
    const std::string &folder = call.options.out;
    if (applications.empty()) {
        return Error{"--leave-one-out: the samples are of no application that can be judged by"};
    }
    if (!is_folder(folder)) return Error{"--out: " + folder + ": expected an existing folder"};
    for (const std::string &name : applications) {
        const std::string path = weights_path(folder, name);
        if (!call.options.force && is_there(path)) {
            return Error{"--out: " + path + " is there already; --force replaces it"};
        }
        if (const Status can = can_write_file(path); !can) {
            return Error{"--out: " + can.error().message};
        }
        if (is_same_file(path, call.options.report)) {
            return Error{"--out and --report: " + path + " can't be both"};
        }
        const Status held_out = check_held_out(call, "--leave-one-out", {name});
        if (!held_out) return held_out;
    }
    return Ok{};
}

struct Trained {
    std::vector<Retrained> begun = {};  // the training of the last may have been stopped
    size_t written = 0;
    Status write = Ok{};  // of the last weights
};

// Returns fewer than there are once the user has asked for the end, or weights could not be
// written: what was judged until then is still worth its report. A network whose training was
// stopped is not written: it would pass for one that was trained as the others were.
Result<Trained> train_each(TrainingCall &call, const std::vector<std::string> &applications) {
    Trained trained;
    for (const std::string &name : applications) {
        call.request.hold_out = {name};
        Result<Retrained> retrained = train_and_judge(call);
        if (!retrained) return Error{retrained.error().message};
        trained.begun.push_back(std::move(retrained).value());
        const Retrained &one = trained.begun.back();
        if (one.training.stop == TrainingStop::asked) break;
        const ReportCard card = card_of(call, one, std::nullopt);
        const std::string path = weights_path(call.options.out, name);
        trained.write = write_weights(path, weights_of(call, one, card));
        if (!trained.write) break;
        std::cout << path << ": written\n";
        ++trained.written;
        if (stop_was_asked()) break;
    }
    return trained;
}

std::string decision_of(const Trained &trained, size_t applications) {
    if (trained.written == applications) return "written, a file for each application";
    const std::string written = "written, " + std::to_string(trained.written) + " of " +
                                std::to_string(applications) + " applications";
    if (!trained.write) return "not written: " + trained.write.error().message + "; " + written;
    return written + ": stopped";
}

}  // namespace

int leave_one_out(TrainingCall &call) {
    const auto [applications, left_out] = applications_of(call.dataset);
    for (const std::string &why : left_out) {
        std::cerr << "retrain_cost_model: left out: " << why << "\n";
    }
    if (const Status good = check_applications(call, applications); !good) {
        return fail(good.error().message, kBadUsage);
    }
    const Result<Trained> trained = train_each(call, applications);
    if (!trained) return fail(trained.error().message, kBadUsage);
    const Retrained together = put_together(trained->begun, applications.size());
    ReportCard card = card_of(call, together, std::nullopt);
    card.decision = decision_of(*trained, applications.size());
    if (const int code = report(call, card); code != 0) return code;
    if (trained->written == applications.size()) return 0;
    return fail(card.decision, trained->write ? kInterrupted : kFailed);
}

}  // namespace autoschedule_gpu
