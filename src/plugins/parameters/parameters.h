// The autoscheduler's parameters: `autoscheduler.NAME=VALUE` on a generator's command line, or the
// `extra` map of Halide's AutoschedulerParams. One table, from which parsing, errors, help and the
// table of src/plugins/README.md come. Names that Halide's Anderson2021 has mean the same here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "autoschedule_gpu/options.h"
#include "core/support/error.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

using Parameters = api::Options;

// What libraries of users add to the values of parameters.
struct AddedNames {
    std::vector<std::string> models, strategies;
    RuleBook rules = {};  // our own, and theirs
};

// Errors: an unknown name (with the nearest known one), a value outside its range, each naming
// what was expected and what was found.
Result<Parameters> parse_parameters(const std::map<std::string, std::string> &extra,
                                    const AddedNames &added = {});

// Whether each file that is named can be read, or written, and no two outputs are one file. None is
// changed.
Status check_files(const Parameters &parameters);

// The values of a parameter that takes one of several names, without what is added.
std::vector<std::string_view> choices_of(std::string_view parameter);

// Those rules, in force after `disable_rules` and `enable_rules`.
Result<RuleBook> rule_set(const Parameters &parameters, RuleBook rules = {});

// Whether `disable_decisions` names that kind.
bool disables_decision(const Parameters &parameters, const std::string &kind);

struct ParameterInfo {
    std::string_view name;
    std::string range;  // "1 to 100000", "auto, roofline", "a file"
    std::string default_value;
    std::string_view help;
};
std::vector<ParameterInfo> parameter_list();

// The table as Markdown, as it stands in src/plugins/README.md.
std::string parameters_markdown();

}  // namespace autoschedule_gpu
