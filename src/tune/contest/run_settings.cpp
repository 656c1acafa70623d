#include "tune/contest/run_settings.h"

#include <algorithm>
#include <chrono>

#include "core/gpu/gpu_model_file.h"
#include "core/support/file_stamp.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "core/support/split_list.h"

namespace autoschedule_gpu {
namespace {

void add_named(Hasher &hasher, const NamedValues &values) {
    hasher.add(values.size());
    for (const auto &[name, value] : values) hasher.add(name).add(value);
}

void add_time(Hasher &hasher, std::chrono::milliseconds time) {
    hasher.add(static_cast<uint64_t>(time.count()));
}

void add_workload(Hasher &hasher, const Workload &workload) {
    hasher.add(workload.generator_name);
    add_named(hasher, workload.params);
    add_file_stamp(hasher, workload.generator);
}

void add_bench(Hasher &hasher, const TrialBenchSettings &bench) {
    hasher.add(to_json(bench.model)).add(bench.target);
    for (const std::string &library : split_list(bench.plugin, ',')) {
        add_file_stamp(hasher, library);
    }
    add_file_stamp(hasher, bench.runner.program);
    add_file_stamp(hasher, "/proc/self/exe");  // which has the strategies
    hasher.add(bench.runner.executor != nullptr ? bench.runner.executor->name() : "");
    if (bench.ptxas != nullptr) add_file_stamp(hasher, bench.ptxas->path());
    add_time(hasher, bench.limits.generate.timeout);
    add_time(hasher, bench.limits.run_timeout);
    hasher.add(static_cast<uint64_t>(bench.phases));
}

}  // namespace

// Unlike session_id, it tells budgets, devices and weights apart, and what times depend on.
std::string settings_of(const TuneRequest &request, const NamedValues &environment) {
    Hasher hasher;
    hasher.add(session_id(request)).add(to_string(request.budget));
    hasher.add(static_cast<uint64_t>(request.device.kind)).add(request.device.replay_file);
    hasher.add(static_cast<uint64_t>(request.finals.rounds));
    hasher.add(request.halide).add(request.plugin).add(hash_of_weights(request));
    hasher.add(static_cast<uint64_t>(request.jobs));
    add_named(hasher, environment);
    add_workload(hasher, request.workload);
    add_bench(hasher, request.bench);
    return to_hex(hasher.value());
}

std::string trial_settings_of(TuneRequest request, const NamedValues &environment) {
    const bool go_by_budget = std::ranges::any_of(
        request.strategies, [&](const auto &one) { return one->goes_by(request.budget); });
    if (!go_by_budget) request.budget = {};
    request.finals = {};
    return settings_of(request, environment);
}

}  // namespace autoschedule_gpu
