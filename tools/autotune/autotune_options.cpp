#include "autotune/autotune_options.h"

#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

// "NAME: what it does; NAME: what it does"
std::string strategies_text() {
    const TuneStrategyRegistry registry;
    std::string text;
    for (const TuneStrategyMaker &maker : registry.makers()) {
        if (!text.empty()) text += "; ";
        text += std::string(maker.name) + ": " + std::string(maker.summary);
    }
    return text;
}

}  // namespace

void add_tuning_options(CLI::App &app, AutotuneOptions &a) {
    app.add_option("--size", a.size,
                   "of the application, as in its app.json; auto: full on CUDA, reduced on OpenCL, "
                   "where the device may be the CPU")
        ->capture_default_str();
    app.add_option("--batch", a.batch,
                   "schedules that are tried together: of a batch (80), or between two rounds of a "
                   "strategy's learning (evolutionary 64, a genetic population 128)")
        ->check(CLI::Range(1, 100'000));
    app.add_option("--iterations", a.iterations,
                   "batches of the mode autotune; rounds and generations of strategies")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000));
    app.add_option(
           "--confidence", a.confidence,
           "of coordinate descent: how sure it is that a step is a gain before it is taken; "
           "0.5: whatever is ahead")
        ->capture_default_str()
        ->check(CLI::Range(0.5, 0.9999));
    app.add_option("--origin", a.origin,
                   "of coordinate descent: best (schedule that is known), default (without tuning) "
                   "or plain (every Func in a kernel of its own)")
        ->capture_default_str();
    app.add_option("--final-rounds", a.final_rounds,
                   "in which the best are compared at the end; up to three times as many where "
                   "they do not tell who wins")
        ->capture_default_str()
        ->check(CLI::Range(3, 1000));
    app.add_option("--sampler", a.sampler,
                   "how schedules are drawn: paper (a beam search and greedy ones), or mixed (with "
                   "decisions at random)")
        ->capture_default_str();
    app.add_option("--weights", a.weights, "of a trained network, to begin with")
        ->check(CLI::ExistingFile);
    app.add_option("--tolerance", a.tolerance,
                   "how much a float of an output may differ from the reference, as a share of the "
                   "output's greatest magnitude; else as app.json says, or by the floats' width")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--integer-steps", a.integer_steps,
                   "by how much an integer of an output may differ; else as app.json says, or 0")
        ->check(CLI::NonNegativeNumber);
    app.add_option(
        "--input", a.inputs,
        "NAME=LEAST:GREATEST, between which the values of an input are; :whole behind it "
        "for whole numbers, :clamp_below=NUMBER to raise what is less to that; may be "
        "repeated; else as app.json says, or by the input's type");
    add_trial_options(app, a);
}

void add_autotune_options(CLI::App &app, AutotuneOptions &a) {
    app.add_option("--app", a.app, "the application to tune; several with commas between, or all")
        ->join(',');
    app.add_option("--generator", a.generator,
                   "a generator program of your own, in place of --app");
    app.add_option("--generator-name", a.generator_name,
                   "as it is registered in the program (else: its only one, or the one of the "
                   "program's name)");
    app.add_option("--param", a.params, "NAME=VALUE, a parameter of the generator; any number");
    app.add_option("--mode", a.mode,
                   "one-shot (of 80 schedules, the one that the cost model likes best), top5 (the "
                   "five best are measured) or autotune (all are, and the model is retrained, 20 "
                   "times); default autotune");
    app.add_option("--strategy", a.strategy,
                   strategies_text() + "; or the name of one that a --library registers")
        ->capture_default_str();
    app.add_option("--trace", a.trace,
                   "a schedule's trace: nothing is tuned, the schedule is made again, verified and "
                   "exported");
    app.add_option(
        "--budget", a.budget,
        "time (30m, 2h), trials (400t) or both (2h,400t); else as long as the mode takes");
    app.add_option("--device", a.device, "cuda, opencl, or replay:FILE of records")
        ->capture_default_str();
    app.add_option("--records", a.records,
                   "what was measured, by this and all earlier calls; a call goes on from there")
        ->capture_default_str();
    app.add_option("--export", a.out, "folder of the results")->required();
    app.add_option("--seed", a.seed, "of the draws")->capture_default_str();
    app.add_flag("--queue", a.queue,
                 "leave the measuring to workers: autotune worker --records FILE, as many as you "
                 "like, on any machine that sees the file");
    add_tuning_options(app, a);
}

}  // namespace autoschedule_gpu
