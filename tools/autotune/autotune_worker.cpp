#include "autotune/autotune_worker.h"

#include <iostream>

#include "common/command_line.h"
#include "common/kernel_cache.h"
#include "common/stop_signal.h"
#include "common/trial_options.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "lab/records/worker_name.h"
#include "tune/executors/worker.h"

namespace autoschedule_gpu {
namespace {

struct Arguments : TrialOptions {
    std::string records;
    int idle_s = 60, lease_s = 60;
    bool quiet = false;
};

constexpr FailureOf fail("autotune worker");

// Returns the bench of a job with the programs of this machine.
Result<TrialBenchSettings> bench_for(const Arguments &a, const ToolPaths &paths, const Ptxas *ptxas,
                                     const TuneJob &job) {
    if (!is_there(job.workload.generator)) {
        return Error{"there is no generator " + job.workload.generator + " on this machine"};
    }
    TrialOptions options = a;
    options.gpu = job.gpu;
    Result<TrialBenchSettings> bench = trial_bench_settings(options, paths, job.device);
    if (!bench) return bench;
    TrialBenchSettings settings = std::move(bench).value();
    settings.traces = Traces::kept;
    settings.ptxas = ptxas;
    settings.warn = [](const std::string &text) {
        std::cerr << "autotune worker: " << text << std::endl;
    };
    return settings;
}

int run(const Arguments &a) {
    if (!is_there(a.records)) {
        return fail("--records: there is no " + a.records + "; a tuner with --queue makes it",
                    kBadUsage);
    }
    const Result<std::string> version = plugin_version(a, AUTOSCHEDULE_GPU_VERSION);
    if (!version) return fail(version.error().message, kBadUsage);
    if (const auto executor = chosen_executor(a); !executor) {
        return fail(executor.error().message, kBadUsage);
    }
    const Result<TemporaryFolder> folder = TemporaryFolder::create("autotune-worker");
    if (!folder) return fail(folder.error().message, kFailed);
    KernelCache().keep_in(folder->path() / "pocl");
    const Result<Ptxas> ptxas = open_ptxas("");
    const ToolPaths paths = tool_paths(a.plugins);
    catch_stop_signals();
    const Result<int> done =
        work({.records = absolute_path(a.records),
              .folder = folder->path().string(),
              .idle = std::chrono::seconds{a.idle_s},
              .lease = std::chrono::seconds{a.lease_s},
              .bench =
                  [&](const TuneJob &job) {
                      return bench_for(a, paths, ptxas ? &*ptxas : nullptr, job);
                  },
              .halide = AUTOSCHEDULE_GPU_HALIDE_VERSION,
              .plugin = *version,
              .log =
                  [&](const std::string &line) {
                      if (!a.quiet) std::cerr << "autotune worker: " << line << "\n";
                  },
              .stop = stop_was_asked});
    if (!done) return fail(done.error().message, kFailed);
    std::cout << own_worker_name() << ": " << *done << " jobs done\n";
    return 0;
}

}  // namespace

int autotune_worker(int argc, char **argv) {
    CommandLine line({
        .name = "autotune worker",
        .what = "Does jobs that `autotune --queue --records FILE` puts into FILE: compiles "
                "and measures. As many may run as you like, on all machines that see the file "
                "and have the same device; one that is killed loses nothing. Ends when there "
                "was nothing to do for a while; Ctrl-C ends it after the job at hand.",
        .examples = "autotune worker --records my.records",
        .statuses = "0 done, 1 failed, 2 bad usage",
    });
    Arguments a;
    line.app().add_option("--records", a.records, "the tuner's file")->required();
    line.app()
        .add_option("--idle", a.idle_s, "seconds without a job, after which it ends")
        ->capture_default_str()
        ->check(CLI::Range(0, 1'000'000));
    line.app()
        .add_option(
            "--lease", a.lease_s,
            "seconds after which a job of a worker that is gone is another's; it is renewed "
            "while the worker lives")
        ->capture_default_str()
        ->check(CLI::Range(3, 100'000));
    line.app().add_flag("--quiet", a.quiet, "no line per job");
    add_limit_options(line.app(), a);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(a);
}

}  // namespace autoschedule_gpu
