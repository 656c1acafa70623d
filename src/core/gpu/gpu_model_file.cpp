#include "core/gpu/gpu_model_file.h"

#include <algorithm>
#include <limits>

#include "core/json/strict_json.h"
#include "core/support/file.h"

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kBaseKey = "base";

Error wrong_value(std::string_view key, std::string_view expected, const Json &found) {
    return Error{"GPU model field '" + std::string(key) + "': expected " + std::string(expected) +
                 ", found " + dump(found)};
}

Status assign(std::string &target, const GpuModelField &field, const Json &value) {
    if (!value.is_string()) return wrong_value(field.name, "a text", value);
    target = value.get<std::string>();
    return Ok{};
}

Status assign(GpuApi &target, const GpuModelField &field, const Json &value) {
    std::string expected = "one of";
    for (size_t i = 0; i < kGpuApiNames.size(); i++) {
        if (value.is_string() && value.get<std::string>() == kGpuApiNames[i]) {
            target = static_cast<GpuApi>(i);
            return Ok{};
        }
        expected += (i == 0 ? " \"" : ", \"") + std::string(kGpuApiNames[i]) + "\"";
    }
    return wrong_value(field.name, expected, value);
}

// Only what the type itself cannot hold is refused here; check() knows the ranges.
Status assign(int64_t &target, const GpuModelField &field, const Json &value) {
    constexpr uint64_t kGreatest = std::numeric_limits<int64_t>::max();
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<uint64_t>() > kGreatest)) {
        return wrong_value(field.name, "a whole number", value);
    }
    target = value.get<int64_t>();
    return Ok{};
}

Status assign(double &target, const GpuModelField &field, const Json &value) {
    if (!value.is_number()) return wrong_value(field.name, "a number", value);
    target = value.get<double>();
    return Ok{};
}

Result<Json> parse_object(std::string_view text) {
    // Fields are numbers and texts: nothing is nested.
    constexpr int kMaxDepth = 16;
    try {
        Json object = parse_strictly(text, kMaxDepth);
        if (object.is_object()) return object;
        return Error{std::string("expected a JSON object, found a JSON ") + object.type_name()};
    } catch (const JsonFault &fault) {
        switch (fault.kind) {
            case JsonFault::Kind::no_json:
                return Error{"not JSON: " + fault.what};
            case JsonFault::Kind::repeated_key:
                return Error{"the key '" + fault.what + "' comes twice"};
            case JsonFault::Kind::too_deep:
                break;
        }
        return Error{"expected a JSON object of numbers and texts, found deeper nesting"};
    }
}

Result<GpuModel> base_model(const Json &object) {
    if (const auto base = object.find(kBaseKey); base != object.end()) {
        if (!base->is_string()) return wrong_value(kBaseKey, "the name of a preset", *base);
        return find_preset(base->get<std::string>());
    }
    std::string missing;
    for (const GpuModelField &field : gpu_model_fields()) {
        if (object.contains(field.name)) continue;
        missing += (missing.empty() ? "" : ", ") + std::string(field.name);
    }
    if (!missing.empty()) {
        return Error{"expected \"base\" or every field of a GPU model, found neither; missing: " +
                     missing};
    }
    return GpuModel{};
}

}  // namespace

Result<GpuModel> parse_model(std::string_view json) {
    const Result<Json> object = parse_object(json);
    if (!object) return object.error();
    const Result<GpuModel> base = base_model(*object);
    if (!base) return base.error();

    GpuModel model = *base;
    const std::span<const GpuModelField> fields = gpu_model_fields();
    for (const auto &[key, value] : object->items()) {
        if (key == kBaseKey) continue;
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [&](const GpuModelField &f) { return f.name == key; });
        if (field == fields.end()) {
            return Error{"expected a field of a GPU model or \"base\", found the key '" + key +
                         "'"};
        }
        const Status status = std::visit(
            [&](auto member) { return assign(model.*member, *field, value); }, field->member);
        if (!status) return status.error();
    }
    if (const Status status = check(model); !status) return status.error();
    return model;
}

Result<GpuModel> read_model_file(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    const Result<GpuModel> model = parse_model(*text);
    if (!model) return Error{path + ": " + model.error().message};
    return model;
}

std::string to_json(const GpuModel &model) {
    Json object = Json::object();
    for (const GpuModelField &field : gpu_model_fields()) {
        Json &value = object[std::string(field.name)];
        std::visit(
            [&](auto member) {
                if constexpr (std::is_same_v<decltype(member), GpuApi GpuModel::*>) {
                    value = to_string(model.*member);
                } else {
                    value = model.*member;
                }
            },
            field.member);
    }
    return dump(object, 4) + "\n";
}

}  // namespace autoschedule_gpu
