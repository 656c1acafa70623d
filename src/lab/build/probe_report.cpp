#include "lab/build/probe_report.h"

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kFormat = "autoschedule_gpu.probe";
constexpr int kVersion = 8;

// Calls `visit(name, member)` for every field of what threads do. Writing and reading share these
// lists.
template <typename Work, typename Visit>
void for_each_sum(Work &work, Visit &&visit) {
    visit("access_load_bytes", work.access_load_bytes);
    visit("access_store_bytes", work.access_store_bytes);
    visit("transaction_load_bytes", work.transaction_load_bytes);
    visit("transaction_store_bytes", work.transaction_store_bytes);
    visit("global_load_wavefronts", work.global_load_wavefronts);
    visit("global_store_wavefronts", work.global_store_wavefronts);
    visit("shared_access_bytes", work.shared_access_bytes);
    visit("shared_wavefronts", work.shared_wavefronts);
    visit("stack_access_bytes", work.stack_access_bytes);
    visit("atomic_operations", work.atomic_operations);
    visit("atomic_sectors", work.atomic_sectors);
    visit("atomic_bytes", work.atomic_bytes);
    visit("float_operations", work.float_operations);
    visit("integer_operations", work.integer_operations);
    visit("special_operations", work.special_operations);
    visit("fused_float_operations", work.fused_float_operations);
    visit("fused_integer_operations", work.fused_integer_operations);
    visit("double_operations", work.double_operations);
    visit("double_instructions", work.double_instructions);
    visit("other_operations", work.other_operations);
    visit("global_loads", work.global_loads);
    visit("global_stores", work.global_stores);
    visit("shared_loads", work.shared_loads);
    visit("shared_stores", work.shared_stores);
    visit("stored_elements", work.stored_elements);
    visit("active_lanes", work.active_lanes);
    visit("warp_lanes", work.warp_lanes);
    visit("block_instructions", work.block_instructions);
    visit("serial_iterations", work.serial_iterations);
    visit("ordered_iterations", work.ordered_iterations);
    visit("loop_entries", work.loop_entries);
    visit("waits", work.waits);
    visit("global_waits", work.global_waits);
    visit("load_groups", work.load_groups);
    visit("new_load_groups", work.new_load_groups);
}

// The same for a part of a kernel, and for a kernel but for its parts.
template <typename Part, typename Visit>
void for_each_part_field(Part &part, Visit &&visit) {
    visit("executions", part.executions);
    for_each_sum(part, visit);
}

template <typename Kernel, typename Visit>
void for_each_field(Kernel &kernel, Visit &&visit) {
    visit("name", kernel.name);
    visit("func", kernel.func);
    visit("launches", kernel.launches);
    visit("blocks", kernel.blocks);
    visit("threads", kernel.threads);
    visit("shared_bytes", kernel.shared_bytes);
    visit("thread_local_bytes", kernel.thread_local_bytes);
    visit("footprint_load_bytes", kernel.footprint_load_bytes);
    visit("footprint_store_bytes", kernel.footprint_store_bytes);
    visit("cached_load_bytes", kernel.cached_load_bytes);
    visit("cached_store_bytes", kernel.cached_store_bytes);
    visit("block_load_bytes", kernel.block_load_bytes);
    visit("barriers", kernel.barriers);
    visit("exact", kernel.exact);
    visit("data_dependent", kernel.data_dependent);
    for_each_sum(kernel, visit);
}

template <typename Launch, typename Visit>
void for_each_extent(Launch &launch, Visit &&visit) {
    visit("name", launch.kernel);
    visit("blocks", launch.blocks);
    visit("threads", launch.threads);
}

template <typename T>
Json or_null(const std::optional<T> &value) {
    return value ? Json(*value) : Json(nullptr);
}

template <typename T>
void read_optional(const Json &json, const char *name, std::optional<T> &into) {
    const Json &value = json.at(name);
    if (!value.is_null()) into = value.get<T>();
}

Json kernel_json(const KernelTraffic &kernel) {
    Json json = Json::object();
    for_each_field(kernel, [&](const char *name, const auto &value) { json[name] = value; });
    json["parts"] = Json::array();
    for (const KernelPart &part : kernel.parts) {
        Json &fields = json["parts"].emplace_back(Json::object());
        for_each_part_field(part,
                            [&](const char *name, const auto &value) { fields[name] = value; });
    }
    return json;
}

KernelTraffic read_kernel(const Json &json) {
    KernelTraffic kernel;
    for_each_field(kernel, [&](const char *name, auto &value) { json.at(name).get_to(value); });
    for (const Json &fields : json.at("parts")) {
        KernelPart &part = kernel.parts.emplace_back();
        for_each_part_field(part,
                            [&](const char *name, auto &value) { fields.at(name).get_to(value); });
    }
    return kernel;
}

}  // namespace

std::string to_json(const ProbeReport &report) {
    Json json = {{"format", kFormat},
                 {"version", kVersion},
                 {"inner", report.inner},
                 {"search_s", or_null(report.search_s)},
                 {"peak_memory_bytes", or_null(report.peak_memory_bytes)},
                 {"error", or_null(report.error)},
                 {"traffic_error", or_null(report.traffic_error)},
                 {"kernels", nullptr}};
    if (report.kernels) {
        json["kernels"] = Json::array();
        for (const KernelTraffic &kernel : *report.kernels) {
            json["kernels"].push_back(kernel_json(kernel));
        }
    }
    json["launches"] = Json::array();
    for (const LaunchExtents &launch : report.launches) {
        Json &fields = json["launches"].emplace_back(Json::object());
        for_each_extent(launch, [&](const char *name, const auto &value) { fields[name] = value; });
        fields["shared_bytes"] = or_null(launch.shared_bytes);
    }
    return dump(json, 1) + "\n";
}

Result<ProbeReport> parse_probe_report(std::string_view text) {
    try {
        const Json json = Json::parse(text);
        if (json.at("format") != kFormat || json.at("version") != kVersion) {
            return Error{"not a probe's report of version " + std::to_string(kVersion) +
                         ": found format " + json.at("format").dump() + ", version " +
                         json.at("version").dump()};
        }
        ProbeReport report;
        json.at("inner").get_to(report.inner);
        read_optional(json, "search_s", report.search_s);
        read_optional(json, "peak_memory_bytes", report.peak_memory_bytes);
        read_optional(json, "error", report.error);
        read_optional(json, "traffic_error", report.traffic_error);
        for (const Json &fields : json.at("launches")) {
            LaunchExtents &launch = report.launches.emplace_back();
            for_each_extent(launch,
                            [&](const char *name, auto &value) { fields.at(name).get_to(value); });
            read_optional(fields, "shared_bytes", launch.shared_bytes);
        }
        if (json.at("kernels").is_null()) return report;
        report.kernels.emplace();
        for (const Json &kernel : json.at("kernels")) {
            report.kernels->push_back(read_kernel(kernel));
        }
        return report;
    } catch (const Json::exception &error) {
        return Error{std::string("not a probe's report: ") + error.what()};
    }
}

}  // namespace autoschedule_gpu
