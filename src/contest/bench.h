// The bench of one application: builds its reference and its candidates, each once, in a folder of
// its own, and says where the files are. Nothing is timed here but by the probe.
//
//     FOLDER/reference-SIZE/          library, and `expected`: the outputs that others must have
//     FOLDER/LABEL-TARGET-SIZE/       object, device code, schedule, probe.json, library
//
// Not thread-safe; several benches may work at the same time in folders of their own.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "contest/application.h"
#include "contest/contender.h"
#include "measure/build_candidate.h"
#include "measure/ptxas.h"
#include "measure/runner.h"
#include "probe/probe_report.h"

namespace autoschedule_gpu {

// The programs and libraries that a comparison uses.
struct Toolbox {
    std::string runner = {};                  // pipeline_runner
    std::string probe = {};                   // libschedule_probe.so
    std::vector<std::string> plugin_folders;  // where the schedulers' libraries are looked for
    std::string compiler = "cc";              // links
    const Ptxas *ptxas = nullptr;             // may be missing: no registers and spills then
};

struct BenchLimits {
    StepLimits generate = {};
    std::chrono::milliseconds reference_timeout{std::chrono::minutes{10}};
    std::chrono::milliseconds run_timeout{std::chrono::minutes{5}};
};

enum class GpuTarget : uint8_t { cuda, opencl };

// A generated candidate, with what the probe saw.
struct ProbedCandidate {
    Candidate candidate = {};
    std::string folder = {};
    Generated generated = {};
    ProbeReport probe = {};
};

class Bench {
public:
    Bench(const Application &application, const Toolbox &tools, const GpuModel &model,
          std::string gpu, BenchLimits limits, std::string folder);

    const Application &application() const { return application_; }
    const BenchLimits &limits() const { return limits_; }
    const Toolbox &tools() const { return tools_; }

    // The folder of the outputs that the generator's own CPU schedule computes at that size. Made
    // at the first call, remembered afterwards, failures too: their reason says that it is the
    // reference's.
    const Outcome<std::string> &expected(const std::string &size);

    // Runs the generator with the probe around the contender.
    Outcome<ProbedCandidate> generate(const Contender &contender, GpuTarget target,
                                      const std::string &size, const GeneratorOutputs &outputs);

    // Only the autoscheduler, once more: seconds in it.
    Outcome<double> search_again(const Contender &contender, const std::string &size);

    Outcome<Linked> link(const ProbedCandidate &candidate);

    // What to run of a candidate's library at that size, and what to compare it with. Fails as the
    // reference of that size does.
    Outcome<RunJob> run_job(const std::string &library, const std::string &size, RunDevice device,
                            const NoiseProtocol &noise);

    // Runs it alone on its device.
    Outcome<RunReport> run(const RunJob &job) const;

    // What a user would type for that candidate, the probe left out.
    std::string plain_command(const Contender &contender, GpuTarget target,
                              const std::string &size) const;

private:
    // A new folder in which no probe has written yet.
    struct ProbeFolder {
        std::string folder = {}, probe_out = {};
    };
    Outcome<ProbeFolder> make_probe_folder(const std::string &name) const;

    Outcome<std::string> make_expected(const std::string &size);
    Outcome<Candidate> plain_candidate(const Contender &contender, GpuTarget target,
                                       const std::string &size) const;
    Outcome<Candidate> probed_candidate(const Contender &contender, GpuTarget target,
                                        const std::string &size,
                                        const std::string &probe_out) const;

    const Application &application_;
    const Toolbox &tools_;
    const GpuModel &model_;
    std::string gpu_;
    BenchLimits limits_;
    std::string folder_;
    std::map<std::string, Outcome<std::string>> expected_;
};

// The library of that file name in the first of the plugin folders that has it.
Result<std::string> find_plugin(const Toolbox &tools, const std::string &name);

// Halide's target for the device: "host-cuda-cuda_capability_80". Halide 21 names 8.6 at most, and
// newer devices compile that for themselves.
std::string target_text(GpuTarget target, const GpuModel &model);

}  // namespace autoschedule_gpu
