// Registers the autoscheduler with Halide when the library is loaded.
#include <Halide.h>

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "halide/apply/at_root.h"
#include "halide/apply/settle.h"
#include "halide/apply/sizes_by_binding.h"
#include "halide/version/version.h"
#include "plugins/autoscheduler/autoschedule.h"

namespace {

using autoschedule_gpu::Autoscheduled;
using autoschedule_gpu::Error;
using autoschedule_gpu::Result;
namespace halide_version = autoschedule_gpu::halide_version;

// Hosts expect Halide's exceptions of Halide, and no others. What else is thrown, by a library of a
// user or for lack of memory or threads, is an error like any.
Result<Autoscheduled> autoscheduled(const Halide::Pipeline &pipeline, const Halide::Target &target,
                                    const Halide::AutoschedulerParams &params) {
    try {
        return autoschedule_gpu::autoschedule(pipeline, target, params.extra);
    } catch (const Halide::Error &) {
        throw;
    } catch (const std::bad_alloc &) {
        return Error{"there is not enough memory. A smaller autoscheduler.beam_size takes less."};
    } catch (const std::exception &error) {
        return Error{std::string("the search failed: ") + error.what()};
    } catch (...) {
        return Error{"the search failed: a library threw something that is no std::exception"};
    }
}

void run(const Halide::Pipeline &pipeline, const Halide::Target &target,
         const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    const auto done = autoscheduled(pipeline, target, params);
    if (!done) {
        halide_version::report_error("GPU autoscheduler: " + done.error().message + "\n");
    }
    results->target = target;
    results->autoscheduler_params = params;
    results->schedule_source = done->schedule_source;
    results->featurization.assign(done->featurization.begin(), done->featurization.end());
    for (const std::string &warning : done->warnings) {
        halide_version::report_warning("GPU autoscheduler: " + warning + "\n");
    }
    std::fputs(done->narration.c_str(), stderr);
}

// The last step of a schedule as Python text (scheduler/schedule/python_source.h).
void settle(const Halide::Pipeline &pipeline, const Halide::Target &target,
            const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    autoschedule_gpu::settle_conditions(pipeline);
    results->target = target;
    results->autoscheduler_params = params;
}

// Of schedules for several sizes as Python text: a copy of the pipeline, and the use of that.
void copy_for_sizes(const Halide::Pipeline &pipeline, const Halide::Target &target,
                    const Halide::AutoschedulerParams &params,
                    Halide::AutoSchedulerResults *results) {
    autoschedule_gpu::copy_into_second(pipeline, std::stoul(params.extra.at("number")));
    results->target = target;
    results->autoscheduler_params = params;
}

void compute_as_in(const Halide::Pipeline &pipeline, const Halide::Target &target,
                   const Halide::AutoschedulerParams &params,
                   Halide::AutoSchedulerResults *results) {
    autoschedule_gpu::compute_as_in_second(pipeline);
    results->target = target;
    results->autoscheduler_params = params;
}

// What the schedules of tuners are compared with, on the CPU, whatever schedule the generator has.
void reference(const Halide::Pipeline &pipeline, const Halide::Target &target,
               const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    autoschedule_gpu::schedule_at_root(pipeline);
    results->target = target;
    results->autoscheduler_params = params;
}

// Where another Halide is than this was compiled for, hardly anything of it may be called. Halide's
// own errors differ, too.
void refuse(const Halide::Pipeline &, const Halide::Target &, const Halide::AutoschedulerParams &,
            Halide::AutoSchedulerResults *) {
    throw std::runtime_error("GPU autoscheduler: " + halide_version::mismatch());
}

[[maybe_unused]] const bool registered = [] {
    const bool fits = halide_version::mismatch().empty();
    Halide::Pipeline::add_autoscheduler("GPU", fits ? run : refuse);
    Halide::Pipeline::add_autoscheduler("GPU_conditions", fits ? settle : refuse);
    Halide::Pipeline::add_autoscheduler("GPU_copy_for_sizes", fits ? copy_for_sizes : refuse);
    Halide::Pipeline::add_autoscheduler("GPU_compute_as_in", fits ? compute_as_in : refuse);
    Halide::Pipeline::add_autoscheduler("GPU_reference", fits ? reference : refuse);
    return true;
}();

}  // namespace
