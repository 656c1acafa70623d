#include "lab/samples/origin.h"

#include <array>

#include "core/gpu/gpu_model_file.h"
#include "core/json/json.h"

namespace autoschedule_gpu {

namespace {

constexpr const char *kGpuKey = "gpu";

struct TextField {
    const char *key;
    std::string SampleOrigin::*member;
};
constexpr std::array kTextFields = {
    TextField{"device", &SampleOrigin::device}, TextField{"driver", &SampleOrigin::driver},
    TextField{"halide", &SampleOrigin::halide}, TextField{"plugin", &SampleOrigin::plugin},
    TextField{"date", &SampleOrigin::date},     TextField{"command", &SampleOrigin::command}};

}  // namespace

std::string to_json(const SampleOrigin &origin) {
    Json object = Json::object();
    for (const TextField &field : kTextFields) object[field.key] = origin.*field.member;
    object[kGpuKey] = Json::parse(to_json(origin.gpu));
    return dump(object);
}

Result<SampleOrigin> parse_origin(std::string_view json) {
    const Json object = parse_loosely(json);
    if (!object.is_object()) return Error{"expected the origin as a JSON object, found none"};
    SampleOrigin origin;
    for (const TextField &field : kTextFields) {
        const auto found = object.find(field.key);
        if (found == object.end() || !found->is_string()) {
            return Error{"expected the text \"" + std::string(field.key) +
                         "\" in the origin, found none"};
        }
        origin.*field.member = found->get<std::string>();
    }
    const auto gpu = object.find(kGpuKey);
    if (gpu == object.end()) return Error{"expected \"gpu\" in the origin, found none"};
    Result<GpuModel> model = parse_model(gpu->dump());
    if (!model) return model.error();
    origin.gpu = *std::move(model);
    return origin;
}

Status check_same_device(const SampleOrigin &known, const SampleOrigin &added) {
    if (known.device != added.device) {
        return Error{"expected samples of the device '" + known.device + "', found some of '" +
                     added.device + "'"};
    }
    const Json expected = Json::parse(to_json(known.gpu)), found = Json::parse(to_json(added.gpu));
    for (const auto &[key, value] : expected.items()) {
        if (found.at(key) == value) continue;
        return Error{"expected features for a GPU model with " + key + " " + value.dump() +
                     ", found some for " + found.at(key).dump()};
    }
    return Ok{};
}

}  // namespace autoschedule_gpu
