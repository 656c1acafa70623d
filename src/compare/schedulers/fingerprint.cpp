#include "compare/schedulers/fingerprint.h"

#include <bit>

#include "core/gpu/gpu_model_file.h"
#include "core/support/bytes.h"
#include "core/support/file.h"
#include "core/support/file_stamp.h"

namespace autoschedule_gpu {
namespace {

// Parameters of this plugin that name files to write (plugins/parameters); the other schedulers
// have none.
bool names_an_output(std::string_view parameter) {
    return parameter == "report" || parameter == "explain" || parameter.ends_with("_out");
}

void add_contender(Hasher &hasher, const SchedulerSpec &contender, const Toolbox &tools) {
    hasher.add(contender.label);
    add_values(hasher, contender.scheduler_params);
    add_named_files(hasher, contender.scheduler_params);
    if (contender.plugin.empty()) return;
    for (const std::string &folder : tools.plugin_folders) {
        add_file_stamp(hasher, folder + "/" + contender.plugin);
    }
}

}  // namespace

void add_values(Hasher &hasher, const NamedValues &values) {
    for (const auto &[name, value] : values) hasher.add(name).add(value);
}

void add_named_files(Hasher &hasher, const NamedValues &values) {
    for (const auto &[name, value] : values) {
        if (names_an_output(name) || !is_regular_file(value)) continue;
        const Result<std::string> content = read_file(value);
        hasher.add(name).add(content ? checksum(*content, 0) : 0);
    }
}

Hasher fingerprint(const ComparisonSettings &settings, const Toolbox &tools,
                   const Application &application) {
    Hasher hasher;
    hasher.add(application.name).add(to_string(settings.device));
    if (settings.device.kind == DeviceKind::replay)
        add_file_stamp(hasher, settings.device.replay_file);
    add_values(hasher, settings.environment);
    hasher.add(to_json(settings.model));
    if (tools.ptxas != nullptr) add_file_stamp(hasher, tools.ptxas->path());
    hasher.add(std::bit_cast<uint64_t>(application.tolerance.relative.value_or(-1)));
    hasher.add(static_cast<uint64_t>(application.tolerance.integer_steps));
    for (const std::string &input : to_texts(application.inputs)) hasher.add(input);
    hasher.add(settings.gpu);
    hasher.add(static_cast<uint64_t>(settings.times_opencl));
    hasher.add(static_cast<uint64_t>(settings.limits.generate.timeout.count()));
    hasher.add(static_cast<uint64_t>(settings.limits.run_timeout.count()));
    for (const auto &[size, values] : application.sizes) {
        hasher.add(size);
        add_values(hasher, values);
    }
    add_file_stamp(hasher, application.generator);
    add_file_stamp(hasher, tools.runner);
    add_file_stamp(hasher, tools.probe);
    for (const SchedulerSpec &contender : settings.contenders) {
        add_contender(hasher, contender, tools);
    }
    return hasher;
}

Hasher comparison_fingerprint(const ComparisonSettings &settings, const Toolbox &tools,
                              const Application &application) {
    Hasher hasher = fingerprint(settings, tools, application);
    hasher.add(settings.size).add(settings.record_path);
    hasher.add(static_cast<uint64_t>(settings.repeats));
    hasher.add(static_cast<uint64_t>(settings.jobs));
    return hasher;
}

}  // namespace autoschedule_gpu
