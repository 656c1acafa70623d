#include "lab/build/launch_report.h"

#include <algorithm>

#include "core/json/json.h"
#include "core/support/file.h"

namespace autoschedule_gpu {

namespace {

Error wrong(size_t index, std::string_view key, std::string_view expected, const Json &found) {
    return Error{"kernel " + std::to_string(index) + " of the report: expected " +
                 std::string(expected) + " as \"" + std::string(key) + "\", found " + dump(found)};
}

bool is_count(const Json &value) {
    return value.is_number_unsigned() &&
           value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

Status read_extents(const Json &kernel, size_t index, const char *key,
                    std::array<int64_t, 3> &extents) {
    const auto found = kernel.find(key);
    if (found == kernel.end()) return Ok{};
    const bool fits = found->is_array() && found->size() <= extents.size() &&
                      std::all_of(found->begin(), found->end(), [](const Json &extent) {
                          return is_count(extent) || extent.is_null();
                      });
    if (!fits) return wrong(index, key, "up to three whole numbers or nulls", *found);
    extents.fill(1);
    std::transform(found->begin(), found->end(), extents.begin(),
                   [](const Json &extent) { return extent.is_null() ? 0 : extent.get<int64_t>(); });
    return Ok{};
}

Result<Launch> read_launch(const Json &kernel, size_t index) {
    if (!kernel.is_object()) return wrong(index, "kernels", "an object", kernel);
    Launch launch;
    const Json name = kernel.value("name", Json());
    if (!name.is_string()) return wrong(index, "name", "a text", name);
    launch.kernel = name.get<std::string>();
    const Json bytes = kernel.value("shared_bytes", Json());
    const bool known = kernel.contains("shared_bytes") && !bytes.is_null();
    if (known && !is_count(bytes)) return wrong(index, "shared_bytes", "a whole number", bytes);
    if (known) launch.shared_bytes = bytes.get<int64_t>();
    if (const Status status = read_extents(kernel, index, "threads", launch.threads); !status) {
        return status.error();
    }
    if (const Status status = read_extents(kernel, index, "blocks", launch.blocks); !status) {
        return status.error();
    }
    return launch;
}

// Returns Halide's name in C: '$' becomes two '_', and everything else but letters, digits and '_'
// one.
std::string c_name(std::string_view func) {
    std::string name;
    for (const char c : func) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        name += plain ? std::string(1, c) : c == '$' ? "__" : "_";
    }
    return name;
}

// Returns "_kernel_a" for "_kernel_a__2": Halide numbers kernels that would have the same name.
std::string_view without_counter(std::string_view kernel) {
    const size_t digits = kernel.find_last_not_of("0123456789") + 1;
    const bool counted = digits < kernel.size() && kernel.substr(0, digits).ends_with("__");
    return counted ? kernel.substr(0, digits - 2) : kernel;
}

// Counters inside a name, "_kernel_f__0_s0_y_block_id_y__2": where Halide appends one of its own,
// it writes "_kernel_f_0_s0_y_block_id_y_2__1".
std::string with_counters_joined(std::string_view kernel) {
    std::string joined;
    for (const char c : kernel) {
        if (c != '_' || !joined.ends_with('_')) joined += c;
    }
    return joined;
}

// Whether the one is the other with a counter of Halide's.
bool is_numbered(std::string_view numbered, std::string_view kernel) {
    const std::string_view bare = without_counter(numbered);
    return bare.size() < numbered.size() &&
           with_counters_joined(bare) == with_counters_joined(kernel);
}

bool is_launch_of(const Launch &launch, std::string_view kernel) {
    if (without_counter(launch.kernel) == without_counter(kernel) ||
        is_numbered(kernel, launch.kernel) || is_numbered(launch.kernel, kernel)) {
        return true;
    }
    const std::string prefix = "_kernel_" + c_name(launch.kernel) + "_s";
    return kernel.size() > prefix.size() && kernel.starts_with(prefix) &&
           kernel[prefix.size()] >= '0' && kernel[prefix.size()] <= '9';
}

}  // namespace

Result<std::vector<Launch>> parse_launch_report(std::string_view json) {
    const Json report = parse_loosely(json);
    if (report.is_discarded()) return Error{"expected an autoscheduler's report, found no JSON"};
    const auto kernels = report.is_object() ? report.find("kernels") : report.end();
    if (!report.is_object() || kernels == report.end() || !kernels->is_array()) {
        return Error{"expected a list \"kernels\" in the autoscheduler's report, found none"};
    }
    std::vector<Launch> launches;
    for (const Json &kernel : *kernels) {
        const Result<Launch> launch = read_launch(kernel, launches.size());
        if (!launch) return launch.error();
        launches.push_back(*launch);
    }
    return launches;
}

Result<std::vector<Launch>> read_launch_report(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    const Result<std::vector<Launch>> launches = parse_launch_report(*text);
    if (!launches) return Error{path + ": " + launches.error().message};
    return launches;
}

std::vector<int> match_launches(const std::vector<std::string> &kernels,
                                const std::vector<Launch> &launches) {
    std::vector<bool> taken(launches.size(), false);
    std::vector<int> match(kernels.size(), -1);
    bool any = false;
    for (size_t k = 0; k < kernels.size(); k++) {
        for (size_t l = 0; l < launches.size() && match[k] < 0; l++) {
            if (taken[l] || !is_launch_of(launches[l], kernels[k])) continue;
            taken[l] = true;
            match[k] = static_cast<int>(l);
            any = true;
        }
    }
    if (!any && kernels.size() == launches.size()) {
        for (size_t k = 0; k < kernels.size(); k++) match[k] = static_cast<int>(k);
    }
    return match;
}

}  // namespace autoschedule_gpu
