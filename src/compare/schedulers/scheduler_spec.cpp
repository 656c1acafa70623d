#include "compare/schedulers/scheduler_spec.h"

#include <algorithm>

#include "core/support/hash.h"
#include "core/support/hex.h"
#include "core/support/split_list.h"
#include "lab/bench/bench.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kKnown = "gpu, root, manual, anderson2021, mullapudi2016, li2018";

Result<SchedulerSpec> known_contender(const std::string &family, const std::string &gpu,
                                      const GpuModel &model) {
    const NamedValues preset = {{"gpu", gpu}};
    const NamedValues cores = {{"parallelism", std::to_string(model.sm_count)}};
    if (family == "gpu") {
        return SchedulerSpec{
            .plugin = "libautoschedule_gpu.so", .scheduler = "GPU", .scheduler_params = preset};
    }
    if (family == "root") {
        return SchedulerSpec{.plugin = "libautoschedule_gpu.so",
                             .scheduler = "GPU",
                             .scheduler_params = {{"gpu", gpu}, {"strategy", "plain"}}};
    }
    if (family == "manual") return SchedulerSpec{.generator_params = {{"manual", "true"}}};
    if (family == "anderson2021") {
        return SchedulerSpec{.plugin = "libautoschedule_anderson2021.so",
                             .scheduler = "Anderson2021",
                             .scheduler_params = cores};
    }
    if (family == "li2018") {
        return SchedulerSpec{.plugin = "libautoschedule_li2018.so",
                             .scheduler = "Li2018",
                             .scheduler_params = cores};
    }
    if (family == "mullapudi2016") {
        NamedValues params = cores;
        params.emplace_back("experimental_gpu_schedule", "1");
        return SchedulerSpec{.plugin = "libautoschedule_mullapudi2016.so",
                             .scheduler = "Mullapudi2016",
                             .scheduler_params = params};
    }
    return Error{"no scheduler '" + family + "'; there are: " + kKnown};
}

void set(NamedValues &values, const std::string &name, const std::string &value) {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const auto &pair) { return pair.first == name; });
    if (found != values.end()) {
        found->second = value;
    } else {
        values.emplace_back(name, value);
    }
}

}  // namespace

std::string SchedulerSpec::folder_name() const {
    const std::string name = as_file_name(label);
    return name == label ? name : name + "-" + to_hex(Hasher().add(label).value());
}

Result<SchedulerSpec> parse_contender(std::string_view text, const std::string &gpu,
                                      const GpuModel &model) {
    const std::vector<std::string> parts = split_list(text, ':');
    if (parts.empty()) return Error{std::string("a scheduler is missing; there are: ") + kKnown};
    Result<SchedulerSpec> known = known_contender(parts[0], gpu, model);
    if (!known) return known.error();
    SchedulerSpec contender = std::move(known).value();
    contender.label = std::string(text);
    for (size_t i = 1; i < parts.size(); ++i) {
        const size_t equals = parts[i].find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == parts[i].size()) {
            return Error{"in '" + contender.label + "': '" + parts[i] +
                         "' is not NAME=VALUE, a parameter of the scheduler"};
        }
        if (contender.scheduler.empty()) {
            return Error{"'" + parts[0] + "' takes no parameters: '" + contender.label + "'"};
        }
        set(contender.scheduler_params, parts[i].substr(0, equals), parts[i].substr(equals + 1));
    }
    return contender;
}

Result<std::vector<SchedulerSpec>> parse_contenders(std::string_view text, const std::string &gpu,
                                                    const GpuModel &model) {
    std::vector<SchedulerSpec> contenders;
    for (const std::string &part : split_list(text, ',')) {
        Result<SchedulerSpec> contender = parse_contender(part, gpu, model);
        if (!contender) return contender.error();
        const bool twice = std::any_of(contenders.begin(), contenders.end(),
                                       [&](const SchedulerSpec &c) { return c.label == part; });
        if (!twice) contenders.push_back(std::move(contender).value());
    }
    if (contenders.empty()) {
        return Error{std::string("no scheduler was named; there are: ") + kKnown};
    }
    return contenders;
}

}  // namespace autoschedule_gpu
