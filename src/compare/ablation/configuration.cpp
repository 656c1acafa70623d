#include "compare/ablation/configuration.h"

#include <algorithm>
#include <set>

#include "core/support/split_list.h"
#include "scheduler/decisions/optional_kinds.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kExhaustiveBeam = "256";

std::string on_or_off(bool on) {
    return on ? "on" : "off";
}

std::vector<Configuration> paper_configurations() {
    std::vector<Configuration> eight;
    for (const bool memo : {true, false}) {
        for (const bool sampling : {true, false}) {
            for (const bool freeze : {true, false}) {
                eight.push_back({configuration_name(memo, sampling, freeze),
                                 {{"memo", on_or_off(memo)},
                                  {"sampling", on_or_off(sampling)},
                                  {"freeze", on_or_off(freeze)}}});
            }
        }
    }
    return eight;
}

Error unknown(const std::string &name) {
    std::string message = "no configuration '" + name + "'; there are: all, paper";
    for (const Configuration &known : all_configurations()) message += ", " + known.name;
    return {message};
}

}  // namespace

std::string configuration_name(bool memo, bool sampling, bool freeze) {
    std::string name;
    for (const auto &[on, part] :
         {std::pair{memo, "memo"}, std::pair{sampling, "sampling"}, std::pair{freeze, "freeze"}}) {
        if (on) name += (name.empty() ? "" : "+") + std::string(part);
    }
    return name.empty() ? "none" : name;
}

std::string name_without(std::string_view kind) {
    return "without_" + std::string(kind);
}

std::vector<Configuration> decision_configurations() {
    std::vector<Configuration> found = {{std::string(kDefaultConfiguration), {}}};
    for (const OptionalKind &kind : optional_kinds()) {
        found.push_back({name_without(kind.name), {{"disable_decisions", std::string(kind.name)}}});
    }
    return found;
}

std::vector<Configuration> all_configurations() {
    std::vector<Configuration> all = paper_configurations();
    all.push_back({std::string(kDefaultConfiguration), {}});
    all.push_back({std::string(kExhaustiveConfiguration),
                   {{"sampling", "off"}, {"freeze", "off"}, {"beam_size", kExhaustiveBeam}}});
    return all;
}

Result<std::vector<Configuration>> parse_configurations(std::string_view text) {
    const std::vector<Configuration> all = all_configurations();
    std::set<std::string> wanted;
    for (const std::string &part : split_list(text, ',')) {
        const bool known = std::any_of(all.begin(), all.end(),
                                       [&](const Configuration &c) { return c.name == part; });
        if (part == "all") {
            for (const Configuration &configuration : all) wanted.insert(configuration.name);
        } else if (part == "paper") {
            for (const Configuration &c : paper_configurations()) wanted.insert(c.name);
        } else if (known) {
            wanted.insert(part);
        } else {
            return unknown(part);
        }
    }
    if (wanted.empty()) return Error{"no configuration was named"};
    std::vector<Configuration> chosen;
    for (const Configuration &configuration : all) {
        if (wanted.contains(configuration.name)) chosen.push_back(configuration);
    }
    return chosen;
}

}  // namespace autoschedule_gpu
