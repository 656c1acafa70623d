// pipeline_fuzz: checks an autoscheduler on many random pipelines and says which fail and how to
// see that again.
//
//     pipeline_fuzz --plugin libautoschedule_gpu.so --scheduler GPU --param report=report.json
//         --seeds 0:2000
//
// The report is asked why a pipeline has no kernel; where it can't say, that is a failure.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "learn/random_pipelines/random_pipeline.h"
#include "pipelines/checked_cases.h"
#include "pipelines/odd_pipelines.h"

namespace {

using namespace autoschedule_gpu::testing;

const std::map<std::string, Family> kFamilies = {{"usual", Family::usual},
                                                 {"tricky", Family::tricky},
                                                 {"all", Family::all},
                                                 {"clamped", Family::clamped},
                                                 {"tables", Family::tables}};

std::string name_of(Family family) {
    for (const auto &[name, value] : kFamilies) {
        if (value == family) return name;
    }
    return {};
}

struct Options {
    std::string seeds = "0:200";
    Family family = Family::usual;
    std::string odd;
    std::string part = "1/1";
    bool describe = false, wide_types = false, verbose = false;
    std::string devices = "both";
    std::string sizes = "grown";
    std::vector<std::string> params;
    Scheduler scheduler{"plain", {}, {}, {}};
    CheckOptions check;
    IsolatedOptions isolation;
};

struct Summary {
    int passed = 0, failed = 0, sizes = 0, kernels = 0, spilling = 0;
    int with_kernels = 0, on_host = 0;  // of those that passed
    double seconds = 0, reference_s = 0, opencl_s = 0, cuda_s = 0, ptxas_s = 0, schedule_s = 0;
    std::map<std::string, int> verdicts, sizes_left_out;
    std::vector<std::string> failures;
};

std::vector<NamedCase> all_cases(const Options &options) {
    if (options.odd.empty()) {
        const size_t colon = options.seeds.find(':');
        const uint64_t from = std::stoull(options.seeds);
        const uint64_t to =
            colon == std::string::npos ? from + 1 : std::stoull(options.seeds.substr(colon + 1));
        return random_cases(from, to, options.wide_types, options.family);
    }
    std::vector<NamedCase> cases;
    for (const OddPipeline &odd : odd_pipelines()) {
        if (options.odd == "all" || options.odd == odd.name) cases.push_back({odd.name, odd.make});
    }
    return cases;
}

// Every N-th case from the I-th on: pipelines of one kind stand together, and take alike.
std::vector<NamedCase> chosen_cases(const Options &options) {
    size_t part = 0, parts = 0;
    if (std::sscanf(options.part.c_str(), "%zu/%zu", &part, &parts) != 2 || part < 1 ||
        part > parts) {
        throw CLI::ValidationError("--part", "wants I/N, I from 1 to N");
    }
    const std::vector<NamedCase> cases = all_cases(options);
    std::vector<NamedCase> chosen;
    for (size_t i = part - 1; i < cases.size(); i += parts) chosen.push_back(cases[i]);
    return chosen;
}

std::string reproduce(const Options &options, const std::string &name) {
    std::string command = "pipeline_fuzz ";
    command += options.odd.empty() ? "--seeds " + name.substr(name.find(' ') + 1) : "--odd " + name;
    command += " --scheduler " + options.scheduler.name;
    if (!options.scheduler.plugin.empty()) command += " --plugin " + options.scheduler.plugin;
    for (const std::string &param : options.params) command += " --param " + param;
    if (options.devices != "both") command += " --devices " + options.devices;
    if (options.sizes != "grown") command += " --sizes " + options.sizes;
    if (options.wide_types) command += " --wide-types";
    if (options.odd.empty() && options.family != Family::usual) {
        command += " --family " + name_of(options.family);
    }
    return command + " --describe";
}

void add(Summary &summary, const Options &options, const NamedCase &item, const CheckResult &result,
         double seconds) {
    summary.seconds += seconds;
    summary.reference_s += result.reference_s;
    summary.opencl_s += result.opencl_s;
    summary.cuda_s += result.cuda_s;
    summary.ptxas_s += result.ptxas_s;
    summary.schedule_s += result.schedule_s;
    summary.kernels += result.kernels;
    summary.sizes += result.sizes_run;
    for (const auto &[size, reason] : result.sizes_left_out) ++summary.sizes_left_out[size];
    summary.spilling += result.spill_bytes > 0;
    ++summary.verdicts[std::string(to_string(result.verdict))];
    if (result.passed()) {
        ++summary.passed;
        summary.with_kernels += result.has_kernels;
        summary.on_host += !result.has_kernels && !result.host_reason.empty();
    } else {
        ++summary.failed;
        summary.failures.push_back(reproduce(options, item.name));
    }
}

void print_case(const Options &options, const NamedCase &item, const CheckResult &result,
                double seconds) {
    const std::string verdict(to_string(result.verdict));
    if (!result.passed() || options.verbose || options.describe) {
        std::printf("%-10s %-20s %5.2f s  %s\n", item.name.c_str(), verdict.c_str(), seconds,
                    result.reason.c_str());
    }
    if (options.verbose) {
        std::printf(
            "    reference %.2f s, opencl %.2f s, cuda %.2f s of which ptxas %.2f s; %d "
            "kernels, %d registers, %lld bytes spilled; run at %d sizes\n",
            result.reference_s, result.opencl_s, result.cuda_s, result.ptxas_s, result.kernels,
            result.max_registers, static_cast<long long>(result.spill_bytes), result.sizes_run);
        if (!result.host_reason.empty()) {
            std::printf("    all on the host: %s\n", result.host_reason.c_str());
        }
        for (const auto &[size, reason] : result.sizes_left_out) {
            std::printf("    not at size %s, where the reference can't run: %s\n", size.c_str(),
                        reason.c_str());
        }
    }
    if (options.describe) {
        std::printf("%s\n%s\n", item.make().description.c_str(), result.schedule.c_str());
    }
    std::fflush(stdout);
}

void print_summary(const Summary &s) {
    const int count = std::max(1, s.passed + s.failed);
    for (const auto &[verdict, times] : s.verdicts) {
        std::printf("%6d %s\n", times, verdict.c_str());
    }
    std::printf(
        "per pipeline: %.2f s (reference %.2f, opencl %.2f, cuda %.2f with ptxas %.2f; "
        "autoscheduler %.2f in these); %.1f kernels; %d spill; %.1f sizes\n",
        s.seconds / count, s.reference_s / count, s.opencl_s / count, s.cuda_s / count,
        s.ptxas_s / count, s.schedule_s / count, double(s.kernels) / count, s.spilling,
        double(s.sizes) / count);
    for (const auto &[size, times] : s.sizes_left_out) {
        std::printf("size %s left out %d times: the reference can't run there (--verbose: why)\n",
                    size.c_str(), times);
    }
    for (const std::string &command : s.failures) std::printf("reproduce: %s\n", command.c_str());
    std::printf("%d passed, %d failed; %d have kernels, %d must stay on the host\n", s.passed,
                s.failed, s.with_kernels, s.on_host);
}

int fuzz(Options &options) {
    using Devices = CheckOptions::Devices;
    if (options.devices == "opencl") options.check.devices = Devices::opencl_only;
    if (options.devices == "cuda") options.check.devices = Devices::cuda_only;
    if (options.sizes == "estimated") options.check.sizes = Sizes::estimated;
    if (options.sizes == "all") options.check.sizes = Sizes::all;
    for (const std::string &param : options.params) {
        const size_t equals = param.find('=');
        if (equals == std::string::npos) throw CLI::ValidationError("--param", "wants KEY=VALUE");
        options.scheduler.params[param.substr(0, equals)] = param.substr(equals + 1);
    }
    if (options.scheduler.name == "plain") options.scheduler = plain_scheduler();
    const std::vector<NamedCase> cases = chosen_cases(options);
    Summary summary;
    const bool is_terminal = isatty(STDERR_FILENO);
    check_cases(cases, options.scheduler, options.check, options.isolation,
                [&](const NamedCase &item, const CheckResult &result, double seconds) {
                    add(summary, options, item, result, seconds);
                    print_case(options, item, result, seconds);
                    if (is_terminal) {
                        std::fprintf(stderr, "\r%d of %zu, %d failed ",
                                     summary.passed + summary.failed, cases.size(), summary.failed);
                    }
                });
    if (is_terminal) std::fprintf(stderr, "\n");
    print_summary(summary);
    return summary.failed == 0 && summary.passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    Options options;
    CLI::App app("Checks an autoscheduler on random pipelines (or on the table of odd ones).");
    app.add_option("--seeds", options.seeds, "FROM:TO, or one seed")->capture_default_str();
    app.add_option("--family", options.family,
                   "kinds that random pipelines have: usual; tricky: rare ones, schedules by hand, "
                   "Params without estimates, any layouts; all: both in one pipeline; clamped: the "
                   "usual, and reads that are clamped to numbers, Params and sizes of images; "
                   "tables: the usual, and small tables that are read at remainders or by channels")
        ->transform(CLI::CheckedTransformer(kFamilies));
    app.add_option("--odd", options.odd, "an odd pipeline by name, or 'all'");
    app.add_option("--part", options.part, "I/N: every N-th of these from the I-th on")
        ->capture_default_str();
    app.add_option("--plugin", options.scheduler.plugin, "the autoscheduler's shared library");
    app.add_option("--scheduler", options.scheduler.name, "its name; 'plain' needs no plugin")
        ->capture_default_str();
    app.add_option("--param", options.params, "KEY=VALUE for the autoscheduler; repeatable");
    app.add_option("--devices", options.devices, "both, opencl or cuda")
        ->check(CLI::IsMember({"both", "opencl", "cuda"}));
    app.add_option(
           "--sizes", options.sizes,
           "where it is run: estimated; grown: and a little larger; all: and big, odd, half, "
           "one point, thin, flat, at negative coordinates, a crop, interleaved where strides "
           "allow it, with scalars doubled")
        ->check(CLI::IsMember({"estimated", "grown", "all"}))
        ->capture_default_str();
    app.add_option("--ptxas", options.check.ptxas, "path of ptxas; empty: don't assemble");
    app.add_option("--timeout", options.isolation.timeout_s, "seconds per pipeline");
    app.add_flag("--wide-types", options.wide_types, "also int64 and double");
    app.add_flag("--describe", options.describe, "print each pipeline and its schedule");
    app.add_flag("--verbose", options.verbose, "a line per pipeline");
    CLI11_PARSE(app, argc, argv);
    return fuzz(options);
}
