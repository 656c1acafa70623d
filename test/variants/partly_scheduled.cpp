// An autoscheduler for tests: of a pipeline that is scheduled by hand it keeps some directives,
// drawn by a seed, takes the others away, and has the autoscheduler GPU do the rest. It fails if
// that one changes what was kept.
//
//   autoscheduler=PartlyScheduled autoscheduler.seed=7 autoscheduler.keep=50 (percent)
//   autoscheduler.kept=FILE       one line for each Func that had been scheduled: what is kept
//   all else is for GPU
#include <Halide.h>

#include <fstream>
#include <string>

#include "variants/draw.h"
#include "variants/schedule_text.h"

namespace {

using namespace variants;
namespace ir = Halide::Internal;
using Texts = std::map<std::string, ScheduleText>;

std::string take(std::map<std::string, std::string> &params, const std::string &name,
                 const std::string &otherwise) {
    const auto found = params.find(name);
    if (found == params.end()) return otherwise;
    const std::string value = found->second;
    params.erase(found);
    return value;
}

void write_kept(const std::string &path, const std::map<std::string, Kept> &kept) {
    std::ofstream file(path);
    for (const auto &[name, what] : kept) file << name << " " << to_string(what) << "\n";
}

// What of a Func with such directives must be as it was.
ScheduleText kept_part(const ScheduleText &text, Kept kept) {
    return {has_loops(kept) || kept == Kept::place ? text.place : "",
            has_loops(kept) || kept == Kept::layout ? text.layout : "",
            has_loops(kept) ? text.loops : ""};
}

std::string shown(const ScheduleText &text) {
    return text.place + "\n" + text.layout + "\n" + text.loops;
}

void check_kept(const Texts &before, const Texts &after, const std::map<std::string, Kept> &kept) {
    for (const auto &[name, what] : kept) {
        if (what == Kept::nothing) continue;
        const auto found = after.find(name);
        const ScheduleText now = found == after.end() ? ScheduleText{} : found->second;
        const ScheduleText was = kept_part(before.at(name), what), is = kept_part(now, what);
        if (was == is) continue;
        throw Halide::CompileError("PartlyScheduled: the directives of " + name +
                                   " are not what they were:\n" + shown(was) + "but\n" +
                                   shown(is));
    }
}

void run(const Halide::Pipeline &const_pipeline, const Halide::Target &target,
         const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    std::map<std::string, std::string> extra = params.extra;
    const Draw draw{.seed = std::stoull(take(extra, "seed", "0")),
                    .keep_percent = std::stoi(take(extra, "keep", "50"))};
    const std::string path = take(extra, "kept", "");
    Halide::Pipeline pipeline = const_pipeline;
    std::vector<ir::Function> outputs;
    for (const Halide::Func &output : pipeline.outputs()) outputs.push_back(output.function());

    const std::map<std::string, Kept> kept = drawn(outputs, draw);
    keep_drawn(outputs, kept, draw.seed);
    if (!path.empty()) write_kept(path, kept);
    const Texts before = texts_of(outputs);
    *results = pipeline.apply_autoscheduler(target, {"GPU", extra});
    check_kept(before, texts_of(outputs), kept);
}

[[maybe_unused]] const bool registered = [] {
    Halide::Pipeline::add_autoscheduler("PartlyScheduled", run);
    return true;
}();

}  // namespace
