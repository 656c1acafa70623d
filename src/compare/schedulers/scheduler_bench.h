// A bench for one application under any scheduler, with the probe around it to see what it does.
//
//     FOLDER/reference-app_NAME-SIZE/   library, and `expected`: the outputs that others must have
//     FOLDER/LABEL-TARGET-SIZE/         object, device code, schedule, probe.json, library
//
// Every library has a runtime of its own, and all files stay, for people to look at. One thread at
// a time; several benches may work at the same time in folders of their own.
#pragma once

#include <optional>
#include <string>

#include "compare/schedulers/compare_schedulers.h"
#include "compare/schedulers/scheduler_spec.h"
#include "compare/schedulers/toolbox.h"
#include "lab/bench/bench.h"
#include "lab/build/probe_report.h"
#include "lab/workloads/application.h"

namespace autoschedule_gpu {

// A generated candidate, with what the probe saw.
struct ProbedCandidate : Built {
    ProbeReport probe = {};
};

class SchedulerBench final : public Bench {
public:
    // All outlive the bench, which works in the settings' folder, in work/NAME.
    SchedulerBench(const ComparisonSettings &settings, const Toolbox &tools,
                   const Application &application);

    const Application &application() const { return application_; }

    // Runs the generator with the probe around the scheduler, for the API of `target`.
    Outcome<ProbedCandidate> generate(const SchedulerSpec &scheduler, RunDevice target,
                                      const std::string &size, const GeneratorOutputs &outputs);

    // Runs only the autoscheduler once more, and returns the seconds in it.
    Outcome<double> search_again(const SchedulerSpec &scheduler, const std::string &size);

    // The folder of the outputs that every schedule must have at that size.
    Outcome<std::string> reference_at(const std::string &size);

    // Returns what to run of a library at that size, and what to compare it with. A failure is the
    // reference's, and a setup for this library: it says nothing of its schedule.
    Outcome<RunJob> job_at(const std::string &size, const RunnableLibrary &library,
                           const NoiseProtocol &noise);

    // Returns what a user would type for that candidate, the probe left out.
    std::string plain_command(const SchedulerSpec &scheduler, RunDevice target,
                              const std::string &size) const;

private:
    // A new folder in which no probe has written yet.
    struct ProbeFolder {
        std::string folder = {}, probe_out = {};
    };
    Outcome<ProbeFolder> make_probe_folder(const std::string &name) const;

    Outcome<Candidate> plain_candidate(const SchedulerSpec &scheduler, RunDevice target,
                                       const std::string &size) const;
    Outcome<Candidate> probed_candidate(const SchedulerSpec &scheduler, RunDevice target,
                                        const std::string &size,
                                        const std::string &probe_out) const;

    const ComparisonSettings &settings_;
    const Toolbox &tools_;
    const Application &application_;
    const std::string folder_;
};

}  // namespace autoschedule_gpu
