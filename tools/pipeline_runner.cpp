// pipeline_runner: loads a pipeline that Halide compiled into a shared library, runs it on inputs
// that it makes, and compares what it computes with what was computed before. Parses arguments,
// calls src/lab/run, prints. Needs neither Halide nor a C++ library on the machine where it runs.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include "common/command_line.h"
#include "lab/run/pipeline_run.h"
#include "lab/run/runner_exit.h"

namespace {

using namespace autoschedule_gpu;

int exit_with(RunnerExit code) {
    return static_cast<int>(code);
}

int finish(const Result<RunReport> &report) {
    if (!report) {
        std::cerr << "pipeline_runner: " << report.error().message << "\n";
        return exit_with(RunnerExit::not_measured);
    }
    std::cout << to_json(*report) << std::endl;
    return exit_with(report->failure ? RunnerExit::failed : RunnerExit::measured);
}

// Parses "input=1531x2557x3".
Result<ExtentsOf> parse_extents(const std::string &text) {
    const Error wrong{"expected NAME=EXTENTxEXTENT..., found '" + text + "'"};
    ExtentsOf result{.argument = text.substr(0, text.find('='))};
    const char *last = text.data() + text.size();
    const char *at = text.data() + std::min(result.argument.size() + 1, text.size());
    while (at < last) {
        int64_t extent = 0;
        const auto [end, code] = std::from_chars(at, last, extent);
        if (code != std::errc() || extent <= 0 || (end != last && *end != 'x')) return wrong;
        result.extents.push_back(extent);
        at = end == last ? last : end + 1;
    }
    if (result.argument.empty() || result.extents.empty() || text.ends_with('x')) return wrong;
    return result;
}

std::string check_extents(const std::string &text) {
    const Result<ExtentsOf> parsed = parse_extents(text);
    return parsed ? "" : parsed.error().message;
}

std::string check_input(const std::string &text) {
    const Result<InputRanges> parsed = parse_input_ranges({text});
    return parsed ? "" : parsed.error().message;
}

std::string check_device(const std::string &text) {
    const Result<RunDevice> parsed = parse_run_device(text);
    return parsed ? "" : parsed.error().message;
}

struct Arguments {
    ReferenceJob reference;
    RunJob run;
    std::vector<std::string> extents, inputs;
    std::string device = "opencl";
    double tolerance = -1;
    std::optional<double> lock_device_s = {};
};

CLI::App *add_reference(CLI::App &app, Arguments &arguments) {
    CLI::App *command = app.add_subcommand("reference", "compute what is to be expected");
    command->add_option("--library", arguments.reference.library, "the compiled pipeline")
        ->required();
    command->add_option("--name", arguments.reference.name, "of its function")->required();
    command->add_option("--out", arguments.reference.expected, "the folder to make")->required();
    command->add_option("--seed", arguments.reference.seed, "of the inputs")->capture_default_str();
    command
        ->add_option("--extents", arguments.extents,
                     "NAME=AxBxC: extents of a buffer in place of its estimates")
        ->check(check_extents);
    command
        ->add_option("--input", arguments.inputs,
                     "NAME=LEAST:GREATEST: between which an input's values are, in place of those "
                     "that are usual for its type; :whole after it for whole numbers, "
                     ":clamp_below=NUMBER for the least that is left")
        ->check(check_input);
    return command;
}

CLI::App *add_run(CLI::App &app, Arguments &arguments) {
    RunJob &job = arguments.run;
    CLI::App *command = app.add_subcommand("run", "run, compare and time a pipeline");
    command->add_option("--library", job.library, "the compiled pipeline")->required();
    command->add_option("--name", job.name, "of its function")->required();
    command->add_option("--expected", job.expected, "the folder that `reference` made")->required();
    command->add_option("--device", arguments.device, "cpu, opencl or cuda")
        ->capture_default_str()
        ->check(check_device);
    command->add_option("--samples", job.noise.samples, "timed runs at most; 0: none")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000000));
    command->add_option("--warmup", job.noise.warmup_runs, "runs before them")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000000));
    command->add_option("--time-budget", job.noise.time_budget_s, "seconds for both")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6));
    command
        ->add_option("--tolerance", arguments.tolerance,
                     "of floats, as a share of the reference's greatest magnitude; else by type")
        ->check(CLI::Range(0.0, 1.0));
    command
        ->add_option("--lock-device", arguments.lock_device_s,
                     "SECONDS: wait until nobody else measures on the device; then let nobody, and "
                     "end with SIGALRM after so many seconds beside the wait")
        ->check(CLI::Range(0.001, 1e6));
    command->add_option("--integer-steps", job.tolerance.integer_steps, "tolerance of integers")
        ->capture_default_str()
        ->check(CLI::Range(int64_t{0}, int64_t{1} << 32));
    return command;
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "pipeline_runner",
        .what = "Runs a pipeline compiled by Halide into a shared library, with its runtime. The "
                "last line of the output is a JSON object: what was found.",
        .examples = "pipeline_runner reference --library ./blur.so --name blur --out expected\n"
                    "pipeline_runner run --library ./blur_gpu.so --name blur --expected expected "
                    "--device cuda",
        .statuses =
            "0 well, 1 files or device are missing, 2 bad usage, 3 the pipeline failed (the "
            "JSON says how); ended by a signal: the pipeline crashed",
    });
    Arguments arguments;
    line.app().require_subcommand(1);
    const CLI::App *reference = add_reference(line.app(), arguments);
    add_run(line.app(), arguments);
    if (const auto done = line.parse(argc, argv)) return *done;
    // Each step is announced on stderr, for a caller that ends this program because it takes too
    // long.
    const Announce announce = [](const std::string &what) {
        std::cerr << "pipeline_runner: " << what << std::endl;
    };
    if (reference->parsed()) {
        for (const std::string &text : arguments.extents) {
            arguments.reference.extents.push_back(parse_extents(text).value());
        }
        Result<InputRanges> inputs = parse_input_ranges(arguments.inputs);
        if (!inputs) return finish(inputs.error());
        arguments.reference.inputs = std::move(inputs).value();
        return finish(make_reference(arguments.reference, announce));
    }
    arguments.run.device = parse_run_device(arguments.device).value();
    if (arguments.tolerance >= 0) arguments.run.tolerance.relative = arguments.tolerance;
    if (arguments.lock_device_s) {
        arguments.run.locks_device = true;
        arguments.run.timeout =
            std::chrono::milliseconds(std::llround(1e3 * *arguments.lock_device_s));
    }
    return finish(run_pipeline(arguments.run, announce));
}
