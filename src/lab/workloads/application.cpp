#include "lab/workloads/application.h"

#include <algorithm>
#include <filesystem>

#include "core/json/strict_json.h"
#include "core/support/file.h"
#include "core/support/split_list.h"

namespace autoschedule_gpu {
namespace {

// The tools that compare outputs take no more.
constexpr double kMostRelative = 1;
constexpr int64_t kMostSteps = int64_t{1} << 32;

NamedValues size_of(const std::string &name, const Json &json) {
    const std::string where = "the size \"" + name + "\"";
    if (!json.is_object()) refuse(where, "an object", json);
    NamedValues values;
    for (const auto &[parameter, value] : json.items()) {
        if (!value.is_string() && !value.is_number() && !value.is_boolean()) {
            refuse(where, "\"" + parameter + "\" to be a number, a string, true or false", value);
        }
        values.emplace_back(parameter, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return values;
}

double number(Fields &fields, const char *key) {
    const Json &json = fields.get(key);
    if (!json.is_number()) fields.expected("\"" + std::string(key) + "\" to be a number", json);
    return json.get<double>();
}

InputRange range_of(const std::string &name, const Json &json) {
    Fields fields(json, "the input \"" + name + "\"");
    InputRange range{.least = number(fields, "least"), .greatest = number(fields, "greatest")};
    if (const Json *whole = fields.find("whole")) {
        if (!whole->is_boolean()) fields.expected("\"whole\" to be true or false", *whole);
        range.whole = whole->get<bool>();
    }
    if (fields.find("clamp_below") != nullptr) range.clamp_below = number(fields, "clamp_below");
    fields.finish();
    if (const std::string fault = fault_of(range); !fault.empty()) fields.expected(fault, json);
    return range;
}

// The entries of a field that is an object.
template <typename T>
std::map<std::string, T> read_each(Fields &fields, const char *key,
                                   T (*read)(const std::string &, const Json &)) {
    const Json &json = fields.get(key);
    if (!json.is_object()) fields.expected("\"" + std::string(key) + "\" to be an object", json);
    std::map<std::string, T> found;
    for (const auto &[name, value] : json.items()) found.emplace(name, read(name, value));
    return found;
}

double relative_tolerance(Fields &fields, const char *key) {
    const double tolerance = number(fields, key);
    if (tolerance >= 0 && tolerance <= kMostRelative) return tolerance;
    fields.expected("\"" + std::string(key) + "\" to be from 0 to 1", fields.get(key));
}

Application read_application(const Json &json) {
    constexpr const char *kTolerance = "float_tolerance", *kSteps = "integer_steps";
    Fields fields(json, "the description");
    Application application;
    application.sizes = read_each(fields, "sizes", size_of);
    if (application.sizes.empty()) fields.expected("a size in \"sizes\"", fields.get("sizes"));
    if (fields.find("inputs") != nullptr) {
        application.inputs = read_each(fields, "inputs", range_of);
    }
    if (fields.find(kTolerance) != nullptr) {
        application.tolerance.relative = relative_tolerance(fields, kTolerance);
    }
    if (fields.find(kSteps) != nullptr) {
        application.tolerance.integer_steps = fields.integer(kSteps, 0, kMostSteps);
    }
    fields.finish();
    return application;
}

std::string quoted_list(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

Result<Application> parse_application(std::string_view text) {
    try {
        return read_application(parse_json(text));
    } catch (const Refusal &refusal) {
        return Error{refusal.message};
    }
}

Result<std::vector<Application>> find_applications(const std::string &apps_folder,
                                                   const std::string &bin_folder) {
    namespace fs = std::filesystem;
    std::vector<Application> found;
    std::error_code error;
    for (fs::directory_iterator i(apps_folder, error), end; !error && i != end;
         i.increment(error)) {
        const fs::path description = i->path() / "app.json";
        const bool is_described = fs::exists(description, error);
        if (error) break;
        if (!is_described) continue;
        const Result<std::string> text = read_file(description.string());
        if (!text) return text.error();
        Result<Application> parsed = parse_application(*text);
        if (!parsed) return Error{description.string() + ": " + parsed.error().message};
        Application application = std::move(parsed).value();
        application.name = i->path().filename().string();
        application.generator = (fs::path(bin_folder) / (application.name + ".generator")).string();
        found.push_back(std::move(application));
    }
    if (error) {
        return Error{"can't read the folder of applications " + apps_folder + ": " +
                     error.message()};
    }
    if (found.empty()) return Error{"there are no applications in " + apps_folder};
    std::sort(found.begin(), found.end(),
              [](const Application &a, const Application &b) { return a.name < b.name; });
    return found;
}

Result<std::vector<Application>> choose_applications(const std::vector<Application> &all,
                                                     std::string_view names) {
    if (names == "all") return all;
    std::vector<Application> chosen;
    for (const std::string &name : split_list(names, ',')) {
        const auto same = [&](const Application &app) { return app.name == name; };
        const auto found = std::find_if(all.begin(), all.end(), same);
        if (found == all.end()) {
            std::vector<std::string> known;
            for (const Application &app : all) known.push_back(app.name);
            return Error{"no application '" + name + "'; there are: " + quoted_list(known)};
        }
        if (std::none_of(chosen.begin(), chosen.end(), same)) chosen.push_back(*found);
    }
    if (chosen.empty()) return Error{"no application was named"};
    return chosen;
}

Result<NamedValues> size_parameters(const Application &application, const std::string &size) {
    const auto found = application.sizes.find(size);
    if (found != application.sizes.end()) return found->second;
    std::vector<std::string> known;
    for (const auto &[name, values] : application.sizes) known.push_back(name);
    return Error{application.name + " has no size '" + size + "'; it has: " + quoted_list(known)};
}

}  // namespace autoschedule_gpu
