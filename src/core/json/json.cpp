#include "core/json/json.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace autoschedule_gpu {

std::string dump(const Json &json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_loosely(std::string_view text) {
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

bool is_json(std::string_view text) {
    return Json::accept(text);
}

bool has_format(const Json &json, std::string_view format, int64_t version) {
    return json.is_object() && json.value("format", Json()) == format &&
           json.value("version", Json()) == version;
}

}  // namespace autoschedule_gpu
