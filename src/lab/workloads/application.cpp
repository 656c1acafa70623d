#include "lab/workloads/application.h"

#include <algorithm>
#include <filesystem>

#include "core/json/json.h"
#include "core/support/file.h"
#include "core/support/split_list.h"

namespace autoschedule_gpu {
namespace {

Result<NamedValues> parse_size(const std::string &name, const Json &json) {
    if (!json.is_object()) return Error{"size '" + name + "' must be an object"};
    NamedValues values;
    for (const auto &[parameter, value] : json.items()) {
        if (!value.is_string() && !value.is_number() && !value.is_boolean()) {
            return Error{"parameter '" + parameter + "' of size '" + name +
                         "' must be a number, a text, true or false"};
        }
        values.emplace_back(parameter, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return values;
}

std::string quoted_list(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

Result<Application> parse_application(std::string_view text) {
    const Json json = parse_loosely(text);
    if (!json.is_object()) return Error{"expected a JSON object"};
    Application application;
    for (const auto &[field, value] : json.items()) {
        if (field == "sizes" && value.is_object()) {
            for (const auto &[name, size] : value.items()) {
                Result<NamedValues> parsed = parse_size(name, size);
                if (!parsed) return parsed.error();
                application.sizes[name] = std::move(parsed).value();
            }
        } else if (field == "float_tolerance" && value.is_number() && value.get<double>() >= 0) {
            application.tolerance.relative = value.get<double>();
        } else if (field == "integer_steps" && value.is_number_unsigned()) {
            application.tolerance.integer_steps = value.get<int64_t>();
        } else {
            return Error{"unknown field '" + field + "', or a value of another kind than expected"};
        }
    }
    if (application.sizes.empty()) return Error{"there is no size in 'sizes'"};
    return application;
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
