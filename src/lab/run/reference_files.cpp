#include "lab/run/reference_files.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/json/json.h"
#include "core/support/file.h"

namespace autoschedule_gpu {

namespace {

namespace fs = std::filesystem;

constexpr const char *kReferenceFormat = "autoschedule_gpu.reference";
constexpr int kReferenceVersion = 2;
constexpr const char *kFile = "reference.json";

constexpr std::array<std::string_view, 3> kArgumentKindNames = {"scalar", "input", "output"};

std::string raw_path(const std::string &folder, const FilterArgument &argument) {
    return (fs::path(folder) / (argument.name + ".raw")).string();
}

Json to_value(const FilterArgument &argument) {
    Json json = {{"name", argument.name},
                 {"kind", kArgumentKindNames[static_cast<size_t>(argument.kind)]},
                 {"type", to_string(argument.type)}};
    if (argument.kind == ArgumentKind::scalar) {
        json["bits"] = argument.scalar_bits;
        return json;
    }
    json["dimensions"] = Json::array();
    for (const Dimension &dimension : argument.dimensions) {
        json["dimensions"].push_back(
            {{"min", dimension.min}, {"extent", dimension.extent}, {"stride", dimension.stride}});
    }
    return json;
}

Result<FilterArgument> to_argument(const Json &json) {
    FilterArgument argument{.name = json.at("name").get<std::string>()};
    const std::string kind = json.at("kind").get<std::string>();
    const auto found = std::find(kArgumentKindNames.begin(), kArgumentKindNames.end(), kind);
    if (found == kArgumentKindNames.end()) {
        return Error{"expected scalar, input or output as \"kind\", found '" + kind + "'"};
    }
    argument.kind = static_cast<ArgumentKind>(found - kArgumentKindNames.begin());
    const Result<ElementType> type = parse_element_type(json.at("type").get<std::string>());
    if (!type) return type.error();
    argument.type = *type;
    if (argument.kind == ArgumentKind::scalar) {
        argument.scalar_bits = json.at("bits").get<uint64_t>();
        return argument;
    }
    for (const Json &dimension : json.at("dimensions")) {
        argument.dimensions.push_back({.min = dimension.at("min").get<int64_t>(),
                                       .extent = dimension.at("extent").get<int64_t>(),
                                       .stride = dimension.at("stride").get<int64_t>()});
    }
    std::vector<Dimension> packed = argument.dimensions;
    pack(packed);
    if (packed != argument.dimensions) {
        return Error{"expected dimensions without gaps in '" + argument.name + "'"};
    }
    return argument;
}

Result<Reference> to_reference(const Json &json) {
    Reference reference{.name = json.at("name").get<std::string>(),
                        .target = json.at("target").get<std::string>(),
                        .seed = json.at("seed").get<uint64_t>()};
    for (const Json &value : json.at("arguments")) {
        Result<FilterArgument> argument = to_argument(value);
        if (!argument) return argument.error();
        reference.arguments.push_back(std::move(argument).value());
    }
    Result<InputRanges> inputs =
        parse_input_ranges(json.at("inputs").get<std::vector<std::string>>());
    if (!inputs) return inputs.error();
    reference.inputs = std::move(inputs).value();
    return reference;
}

std::string to_json(const Reference &reference) {
    Json json = {{"format", kReferenceFormat}, {"version", kReferenceVersion},
                 {"name", reference.name},     {"seed", reference.seed},
                 {"target", reference.target}, {"inputs", to_texts(reference.inputs)},
                 {"arguments", Json::array()}};
    for (const FilterArgument &argument : reference.arguments) {
        json["arguments"].push_back(to_value(argument));
    }
    return dump(json, 1) + "\n";
}

Status write_files(const std::string &folder, const Reference &reference,
                   const std::vector<const std::byte *> &outputs) {
    size_t next = 0;
    for (const FilterArgument &argument : reference.arguments) {
        if (argument.kind != ArgumentKind::output) continue;
        const auto *memory = reinterpret_cast<const char *>(outputs[next++]);
        const Status written = write_file(raw_path(folder, argument), {memory, bytes_of(argument)});
        if (!written) return written;
    }
    return write_file((fs::path(folder) / kFile).string(), to_json(reference));
}

Status publish(const fs::path &beside, const fs::path &folder) {
    std::error_code code;
    if (fs::exists(folder, code)) {
        if (!fs::exists(folder / kFile, code) && !fs::is_empty(folder, code)) {
            return Error{folder.string() + " is there already and holds no reference"};
        }
        fs::remove_all(folder, code);
        if (code) return Error{folder.string() + ": " + code.message()};
    }
    fs::rename(beside, folder, code);
    if (code) return Error{folder.string() + ": " + code.message()};
    return Ok{};
}

}  // namespace

Status write_reference(const std::string &folder, const Reference &reference,
                       const std::vector<const std::byte *> &outputs) {
    // The path must not end in a slash, or the temporary folder beside it would be inside it.
    fs::path place = fs::path(folder).lexically_normal();
    if (place.filename().empty()) place = place.parent_path();
    const fs::path beside = place.string() + ".partial" + std::to_string(getpid());
    remove_folder(beside.string());
    std::error_code code;
    fs::create_directories(beside, code);
    if (code) return Error{beside.string() + ": " + code.message()};
    Status status = write_files(beside.string(), reference, outputs);
    if (status) status = publish(beside, place);
    if (!status) remove_folder(beside.string());
    return status;
}

Result<Reference> read_reference(const std::string &folder) {
    const std::string path = (fs::path(folder) / kFile).string();
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    const Json json = parse_loosely(*text);
    if (!has_format(json, kReferenceFormat, kReferenceVersion)) {
        return Error{path + ": expected format " + kReferenceFormat + ", version " +
                     std::to_string(kReferenceVersion)};
    }
    Result<Reference> reference = read_fields<Reference>(json, "", to_reference);
    if (!reference) return Error{path + ": " + reference.error().message};
    return reference;
}

Result<std::vector<std::byte>> read_expected_output(const std::string &folder,
                                                    const FilterArgument &argument) {
    const std::string path = raw_path(folder, argument);
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    if (text->size() != bytes_of(argument)) {
        return Error{path + ": expected " + std::to_string(bytes_of(argument)) + " bytes, found " +
                     std::to_string(text->size())};
    }
    std::vector<std::byte> bytes(text->size());
    if (!bytes.empty()) std::memcpy(bytes.data(), text->data(), bytes.size());
    return bytes;
}

}  // namespace autoschedule_gpu
