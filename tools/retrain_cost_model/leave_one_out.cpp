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

}  // namespace

int leave_one_out(TrainingCall &call) {
    const std::string &folder = call.options.out;
    const std::vector<std::string> applications = applications_of(call.dataset);
    if (applications.empty()) {
        return fail("--leave-one-out: the samples are of no application", kBadUsage);
    }
    if (!is_folder(folder)) {
        return fail("--out: " + folder + ": expected an existing folder", kBadUsage);
    }
    for (const std::string &name : applications) {
        const std::string path = weights_path(folder, name);
        if (!call.options.force && is_there(path)) {
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

}  // namespace autoschedule_gpu
