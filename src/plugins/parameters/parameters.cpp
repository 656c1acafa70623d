#include "plugins/parameters/parameters.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>
#include <variant>

#include "core/support/file.h"
#include "plugins/parameters/parameter_table.h"
#include "scheduler/decisions/optional_kinds.h"

namespace autoschedule_gpu {

namespace {

using parameter_kind::Choice;
using parameter_kind::InFile;
using parameter_kind::Integer;
using parameter_kind::OutFile;
using parameter_kind::Real;
using parameter_kind::Text;

template <typename T>
std::string text_of(T value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

struct RangeText {
    const AddedNames &added;

    std::string operator()(const Integer &i) const {
        const std::string greatest =
            i.greatest == INT64_MAX ? "2^63 - 1" : std::to_string(i.greatest);
        return "a whole number from " + std::to_string(i.least) + " to " + greatest;
    }
    std::string operator()(const Real &r) const {
        return "a number from " + text_of(r.least) + " to " + text_of(r.greatest);
    }
    std::string operator()(const Choice &c) const {
        std::string all;
        for (std::string_view value : c.all(added)) {
            if (!all.empty()) all += ", ";
            all += value;
        }
        return "one of " + all;
    }
    std::string operator()(const Text &t) const { return std::string(t.what); }
    std::string operator()(const InFile &) const { return "a file"; }
    std::string operator()(const OutFile &) const { return "a file"; }
};

template <typename T>
bool read_number(const std::string &text, T &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

// Whether the value was legal, and if so stored.
struct Store {
    const std::string &text;
    const AddedNames &added;
    Parameters &out;

    bool operator()(const Integer &i) const {
        int64_t value = 0;
        if (!read_number(text, value) || value < i.least || value > i.greatest) return false;
        out.*i.member = value;
        return true;
    }
    bool operator()(const Real &r) const {
        double value = 0;
        if (!read_number(text, value) || !std::isfinite(value)) return false;
        if (value < r.least || value > r.greatest) return false;
        out.*r.member = value;
        return true;
    }
    bool operator()(const Choice &c) const {
        const std::vector<std::string_view> values = c.all(added);
        if (std::find(values.begin(), values.end(), text) == values.end()) return false;
        out.*c.member = text;
        return true;
    }
    bool operator()(const Text &t) const { return store(t.member); }
    bool operator()(const InFile &f) const { return store(f.member); }
    bool operator()(const OutFile &f) const { return store(f.member); }

    bool store(std::string Parameters::*member) const {
        out.*member = text;
        return !text.empty();
    }
};

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

std::string in_lower_case(std::string text) {
    for (char &c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

Error unknown(const std::string &name) {
    const std::string lower = in_lower_case(name);
    // The beginning of a name is nearer to it than another name of the same length.
    const auto distance = [&](const ParameterRow &row) {
        return lower.size() > 2 && row.name.starts_with(lower) ? 0 : edit_distance(lower, row.name);
    };
    // Of a name of three letters, any other is three changes away.
    const size_t most = std::min<size_t>(3, lower.size() / 2);
    const auto nearest = std::ranges::min_element(parameter_table(), {}, distance);
    std::string message = "unknown parameter autoscheduler." + name + ".";
    if (distance(*nearest) <= most) {
        message += " Did you mean autoscheduler." + std::string(nearest->name) + "?";
    }
    message += " Known are:";
    for (const ParameterRow &row : parameter_table())
        message += (&row == &parameter_table()[0] ? " " : ", ") + std::string(row.name);
    return {message + "."};
}

// Of "a, b" both, without the space. Empty names are kept, to be refused.
std::vector<std::string> split_names(const std::string &list) {
    std::vector<std::string> result;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) {
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        result.push_back(name);
    }
    return result;
}

// Why a list of rules can't name that one.
Error no_switch(const RuleBook &rules, const std::string &parameter, const std::string &named,
                bool exists) {
    std::string message =
        "autoscheduler." + parameter + " names \"" + named + "\"; " +
        (exists ? "that rule keeps schedules legal. " : "there is no such rule. ") +
        "Rules that can be switched:";
    for (size_t i = 0; i < rules.size(); ++i) {
        if (rules.can_switch(RuleId(i))) message += " " + rules[RuleId(i)].name;
    }
    return {message + "."};
}

// Of a list of names, as that parameter gives it.
Result<std::vector<RuleId>> switchable_rules(const RuleBook &rules, const std::string &parameter,
                                             const std::string &list) {
    std::vector<RuleId> found;
    for (const std::string &named : split_names(list)) {
        const std::optional<RuleId> rule = rules.find(named);
        if (!rule || !rules.can_switch(*rule)) {
            return no_switch(rules, parameter, named, rule.has_value());
        }
        found.push_back(*rule);
    }
    return found;
}

Status check_disabled_decisions(const std::string &list) {
    std::string known;
    for (const OptionalKind &kind : optional_kinds()) known += " " + std::string(kind.name);
    for (const std::string &named : split_names(list)) {
        const auto kinds = optional_kinds();
        if (std::ranges::find(kinds, named, &OptionalKind::name) != kinds.end()) continue;
        return Error{"autoscheduler.disable_decisions names \"" + named +
                     "\"; there is no such kind of decisions. Kinds that can be switched off:" +
                     known + "."};
    }
    return Ok{};
}

// A trace, a list of decisions and records are each a schedule of their own.
Status check_one_schedule(const Parameters &parameters) {
    const std::pair<std::string_view, std::string Parameters::*> all[] = {
        {"trace", &Parameters::trace},
        {"decisions", &Parameters::decisions},
        {"records", &Parameters::records}};
    std::string_view given;
    for (const auto &[name, member] : all) {
        if ((parameters.*member).empty()) continue;
        if (!given.empty()) {
            return Error{"autoscheduler." + std::string(given) + " and autoscheduler." +
                         std::string(name) + " each give a schedule. Leave one out."};
        }
        given = name;
    }
    return Ok{};
}

// Of two outputs to one file the latter would be all that is left. Devices and pipes take both.
Status check_outputs_apart(const Parameters &parameters) {
    std::vector<std::pair<std::string_view, const std::string *>> outputs;
    for (const ParameterRow &row : parameter_table()) {
        const auto *out = std::get_if<OutFile>(&row.kind);
        if (out == nullptr) continue;
        const std::string &path = parameters.*out->member;
        if (path.empty() || (is_there(path) && !is_regular_file(path))) continue;
        for (const auto &[name, other] : outputs) {
            if (!is_same_file(*other, path)) continue;
            return Error{"autoscheduler." + std::string(name) + " and autoscheduler." +
                         std::string(row.name) + " both write " + path + ". Name two files."};
        }
        outputs.emplace_back(row.name, &path);
    }
    return Ok{};
}

// For several sizes a schedule is searched for.
Status check_sizes_alone(const Parameters &parameters) {
    if (parameters.sizes.empty()) return Ok{};
    const std::pair<std::string_view, std::string Parameters::*> others[] = {
        {"decisions", &Parameters::decisions},
        {"trace", &Parameters::trace},
        {"records", &Parameters::records}};
    for (const auto &[name, member] : others) {
        if ((parameters.*member).empty()) continue;
        return Error{"autoscheduler.sizes and autoscheduler." + std::string(name) +
                     " both say where the schedule comes from. Leave one out."};
    }
    return Ok{};
}

}  // namespace

Result<Parameters> parse_parameters(const std::map<std::string, std::string> &extra,
                                    const AddedNames &added) {
    Parameters parameters;
    for (const auto &[name, value] : extra) {
        const auto row = std::find_if(parameter_table().begin(), parameter_table().end(),
                                      [&](const ParameterRow &r) { return r.name == name; });
        if (row == parameter_table().end()) return unknown(name);
        if (!std::visit(Store{value, added, parameters}, row->kind)) {
            return Error{"autoscheduler." + name + " must be " +
                         std::visit(RangeText{added}, row->kind) + ", found \"" + value + "\"."};
        }
    }
    if (Result<RuleBook> rules = rule_set(parameters, added.rules); !rules) return rules.error();
    if (Status known = check_disabled_decisions(parameters.disable_decisions); !known) {
        return known.error();
    }
    if (parameters.candidates.empty() != parameters.candidates_out.empty()) {
        return Error{
            "autoscheduler.candidates and autoscheduler.candidates_out belong together. Name both "
            "or none."};
    }
    if (Status one = check_one_schedule(parameters); !one) return one.error();
    if (Status only = check_sizes_alone(parameters); !only) return only.error();
    return parameters;
}

Status check_files(const Parameters &parameters) {
    for (const ParameterRow &row : parameter_table()) {
        Status can = Ok{};
        if (const auto *in = std::get_if<InFile>(&row.kind)) {
            const std::string &path = parameters.*in->member;
            if (!path.empty()) can = can_read_file(path);
        } else if (const auto *out = std::get_if<OutFile>(&row.kind)) {
            const std::string &path = parameters.*out->member;
            if (!path.empty()) can = can_write_file(path);
        }
        if (!can) {
            return Error{"autoscheduler." + std::string(row.name) + "=" + can.error().message};
        }
    }
    return check_outputs_apart(parameters);
}

Result<RuleBook> rule_set(const Parameters &parameters, RuleBook rules) {
    const Result<std::vector<RuleId>> off =
        switchable_rules(rules, "disable_rules", parameters.disable_rules);
    if (!off) return off.error();
    const Result<std::vector<RuleId>> on =
        switchable_rules(rules, "enable_rules", parameters.enable_rules);
    if (!on) return on.error();
    for (RuleId rule : *off) rules.switch_off(rule);
    for (RuleId rule : *on) {
        if (std::ranges::find(*off, rule) != off->end()) {
            return Error{"autoscheduler.enable_rules and autoscheduler.disable_rules both name \"" +
                         rules[rule].name + "\". Leave it out of one."};
        }
        rules.switch_on(rule);
    }
    constexpr std::pair<const char *, std::string_view> kForbidden[] = {
        {"aligned_tiles", "aligned_tiles"},
        {"rows", "whole_rows"},
        {"updates_in_registers", "updates_in_registers"}};
    for (const auto &[kind, rule] : kForbidden) {
        if (disables_decision(parameters, kind)) rules.switch_on(*rules.find(rule));
    }
    return rules;
}

bool disables_decision(const Parameters &parameters, const std::string &kind) {
    return std::ranges::count(split_names(parameters.disable_decisions), kind) > 0;
}

std::vector<std::string_view> choices_of(std::string_view parameter) {
    const auto row = std::ranges::find(parameter_table(), parameter, &ParameterRow::name);
    return row == parameter_table().end() ? std::vector<std::string_view>()
                                          : std::get<Choice>(row->kind).values;
}

std::vector<ParameterInfo> parameter_list() {
    const Parameters defaults;
    const AddedNames none;
    std::vector<ParameterInfo> list;
    for (const ParameterRow &row : parameter_table()) {
        std::string value =
            std::visit([&](const auto &kind) { return text_of(defaults.*kind.member); }, row.kind);
        list.push_back(
            {row.name, std::visit(RangeText{none}, row.kind), std::move(value), row.help});
    }
    return list;
}

std::string parameters_markdown() {
    std::string out = "| parameter | value | default | meaning |\n|---|---|---|---|\n";
    for (const ParameterInfo &info : parameter_list()) {
        out += "| `" + std::string(info.name) + "` | " + info.range + " | " +
               (info.default_value.empty() ? "none" : "`" + info.default_value + "`") + " | " +
               std::string(info.help) + " |\n";
    }
    return out;
}

}  // namespace autoschedule_gpu
