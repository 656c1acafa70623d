#include "plugins/autoscheduler/sizes_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json/strict_json.h"
#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kFormat = "autoschedule_gpu.sizes";
constexpr int64_t kVersion = 1;

const Json &object(const Json &json, const std::string &where) {
    if (!json.is_object()) refuse(where, "an object", json);
    return json;
}

bool is_whole(const Json &json, int64_t least) {
    const auto fits = [&](auto number) {
        return std::cmp_greater_equal(number, least) && std::cmp_less_equal(number, kMaxJsonInt);
    };
    if (json.is_number_unsigned()) return fits(json.get<uint64_t>());
    return json.is_number_integer() && fits(json.get<int64_t>());
}

// Both ends are numbers that Halide has.
Interval range(const Json &json, const std::string &where) {
    const bool is_pair = json.is_array() && json.size() == 2 && is_whole(json[0], -kMaxJsonInt) &&
                         is_whole(json[1], 1);
    if (is_pair) {
        const auto range = Interval::from_extent(json[0].get<int64_t>(), json[1].get<int64_t>());
        if (range.max <= kMaxJsonInt) return range;
    }
    refuse(where, "a range [min, extent] of 32-bit numbers with an extent of at least 1", json);
}

std::map<std::string, std::vector<Interval>> buffers(const Json *json, const std::string &where) {
    std::map<std::string, std::vector<Interval>> result;
    if (json == nullptr) return result;
    for (const auto &[name, ranges] : object(*json, where).items()) {
        const std::string here = where + ", \"" + name + "\"";
        if (!ranges.is_array()) refuse(here, "a list of ranges, one for each dimension", ranges);
        std::vector<Interval> &dims = result[name];
        for (const Json &one : ranges) {
            dims.push_back(range(one, here + ", dimension " + std::to_string(dims.size())));
        }
    }
    return result;
}

std::map<std::string, double> scalars(const Json *json, const std::string &where) {
    std::map<std::string, double> result;
    if (json == nullptr) return result;
    for (const auto &[name, value] : object(*json, where).items()) {
        if (!value.is_number()) refuse(where + ", \"" + name + "\"", "a number", value);
        result[name] = value.get<double>();
    }
    return result;
}

double weight(const Json *json, const std::string &where) {
    if (json == nullptr) return 1;
    const double value = json->is_number() ? json->get<double>() : 0;
    if (!std::isfinite(value) || value <= 0) {
        refuse(where + ", weight", "a number above 0", *json);
    }
    return value;
}

NamedSizes one_of_sizes(const Json &json, size_t number) {
    std::string where = "entry " + std::to_string(number);
    Fields fields(json, where);
    NamedSizes result;
    result.name = fields.text("name");
    if (result.name.empty()) fields.expected("a \"name\"", fields.get("name"));
    where += " (\"" + result.name + "\")";
    result.weight = weight(fields.find("weight"), where);
    result.sizes = {.outputs = buffers(fields.find("outputs"), where + ", outputs"),
                    .inputs = buffers(fields.find("inputs"), where + ", inputs"),
                    .scalars = scalars(fields.find("scalars"), where + ", scalars")};
    fields.finish();
    return result;
}

std::vector<NamedSizes> sizes_from_json(const Json &json) {
    Fields fields(json, "the file");
    fields.format(kFormat, kVersion);
    const Json &entries = fields.array("sizes");
    if (entries.empty() || entries.size() > kMostSizes) {
        throw Refusal{"sizes: expected 1 to " + std::to_string(kMostSizes) + " entries, found " +
                      std::to_string(entries.size())};
    }
    std::vector<NamedSizes> result;
    for (const Json &entry : entries) {
        NamedSizes one = one_of_sizes(entry, result.size() + 1);
        const auto same = std::ranges::find(result, one.name, &NamedSizes::name);
        if (same != result.end()) {
            throw Refusal{"entry " + std::to_string(result.size() + 1) +
                          ", name: expected one that no other entry has, found \"" + one.name +
                          "\" of entry " + std::to_string(same - result.begin() + 1) + " again"};
        }
        result.push_back(std::move(one));
    }
    fields.finish();
    return result;
}

}  // namespace

Result<std::vector<NamedSizes>> parse_sizes(std::string_view json) {
    try {
        return sizes_from_json(parse_json(json));
    } catch (const Refusal &refusal) {
        return Error{"bad list of sizes: " + refusal.message};
    }
}

Result<std::vector<NamedSizes>> read_sizes(const std::string &path,
                                           const Halide::Pipeline &pipeline) {
    const Result<std::string> json = read_file(path);
    if (!json) return json.error();
    Result<std::vector<NamedSizes>> sizes = parse_sizes(*json);
    if (!sizes) return Error{path + ": " + sizes.error().message};
    std::vector<NamedSizes> result = std::move(sizes).value();
    for (size_t i = 0; i < result.size(); ++i) {
        Result<GivenSizes> own = sizes_of(pipeline, result[i].sizes);
        if (!own) {
            return Error{path + ": entry " + std::to_string(i + 1) + " (\"" + result[i].name +
                         "\"), " + own.error().message};
        }
        result[i].sizes = std::move(own).value();
    }
    return result;
}

}  // namespace autoschedule_gpu
