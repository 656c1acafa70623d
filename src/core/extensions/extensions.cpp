#include "core/extensions/extensions.h"

#include <map>
#include <set>
#include <utility>

#include "core/extensions/checked_model.h"

namespace autoschedule_gpu {
namespace {

Status check_version(const LoadedLibrary &library) {
    const int32_t version = library.entry->api_version;
    if (version != api::kApiVersion) {
        return Error{library.path + " was built against version " + std::to_string(version) +
                     " of the headers autoschedule_gpu/, and the autoscheduler expects version " +
                     std::to_string(api::kApiVersion) +
                     ". Build it anew with the headers of this release."};
    }
    if (library.entry->layout != api::layout_number()) {
        return Error{
            library.path +
            " was built against headers autoschedule_gpu/ of another release, or with "
            "another C++ standard library than the autoscheduler: types that both share differ. "
            "Build it anew with the headers of this release."};
    }
    return Ok{};
}

// Names of one sort of things, and who has them.
class Names {
public:
    Names(std::string what, const std::vector<std::string_view> &taken) : what_(std::move(what)) {
        for (const std::string_view name : taken) owners_.emplace(name, "the autoscheduler itself");
    }

    Status add(std::string_view name, const std::string &path) {
        if (!is_word(name)) {
            return Error{path + " has a " + what_ + " with the name \"" + std::string(name) +
                         "\". Expected is a word of small letters, digits and _."};
        }
        const auto [entry, inserted] = owners_.emplace(name, path);
        if (inserted) return Ok{};
        return Error{path + " has a " + what_ + " with the name \"" + std::string(name) +
                     "\", which " + entry->second + " has, too. Give it another name."};
    }

private:
    // Lists of names are separated by commas, and reports have them as keys.
    static bool is_word(std::string_view name) {
        return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
                                    std::string_view::npos;
    }

    std::string what_;
    std::map<std::string, std::string, std::less<>> owners_;
};

std::string_view name_of(const api::CostModelMaker &maker) {
    return maker.name;
}
template <typename Candidate>
std::string_view name_of(const api::Rule<Candidate> &rule) {
    return rule.name;
}
template <typename Interface>
std::string_view name_of(const std::shared_ptr<const Interface> &object) {
    return object == nullptr ? std::string_view() : object->name();
}

class NameCheck {
public:
    explicit NameCheck(const TakenNames &taken)
        : rules_("rule", taken.rules),
          models_("cost model", taken.models),
          strategies_("search strategy", taken.strategies),
          kinds_("kind of decisions", taken.decision_kinds),
          tuner_strategies_("tuner's strategy", taken.tuner_strategies),
          executors_("executor", taken.executors) {}

    Status add(const Extension &extension) {
        const api::Library &added = extension.added;
        Status done = Ok{};
        const auto add_all = [&](Names &names, const auto &list) {
            for (const auto &item : list) {
                if (done) done = names.add(name_of(item), extension.path);
            }
        };
        for (const auto &rule : added.tiling_rules) require_check(rule, extension, done);
        for (const auto &rule : added.fusion_rules) require_check(rule, extension, done);
        for (const auto &rule : added.kernel_rules) require_check(rule, extension, done);
        add_all(rules_, added.tiling_rules);
        add_all(rules_, added.fusion_rules);
        add_all(rules_, added.kernel_rules);
        add_all(models_, added.models);
        add_all(strategies_, added.strategies);
        add_all(kinds_, added.decision_kinds);
        add_all(tuner_strategies_, added.tuner_strategies);
        add_all(executors_, added.executors);
        return done;
    }

private:
    template <typename Candidate>
    static void require_check(const api::Rule<Candidate> &rule, const Extension &extension,
                              Status &done) {
        if (rule.check || !done) return;
        done = Error{extension.path + " has a rule with the name \"" + rule.name +
                     "\" and without a function to check candidates by."};
    }

    Names rules_, models_, strategies_, kinds_, tuner_strategies_, executors_;
};

}  // namespace

Result<Extensions> Extensions::of(std::span<const LoadedLibrary> libraries,
                                  const TakenNames &taken) {
    Extensions extensions;
    NameCheck names(taken);
    for (const LoadedLibrary &library : libraries) {
        if (Status fits = check_version(library); !fits) return fits.error();
        Extension extension{library.entry->name, library.path, library.entry->api_version, {}};
        library.entry->fill(extension.added);
        if (Status unique = names.add(extension); !unique) return unique.error();
        extensions.extensions_.push_back(std::move(extension));
    }
    return extensions;
}

std::vector<api::CostModelMaker> Extensions::models() const {
    std::vector<api::CostModelMaker> models;
    for (const Extension &extension : extensions_) {
        for (const api::CostModelMaker &maker : extension.added.models) {
            models.push_back(checked(maker, extension.path, complaints_));
        }
    }
    return models;
}

}  // namespace autoschedule_gpu
