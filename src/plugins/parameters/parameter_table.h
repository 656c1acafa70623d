// The table of parameters: the one list that parsing, errors, help and documents come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plugins/parameters/parameters.h"

namespace autoschedule_gpu {

// What a parameter may be, and where its value is kept.
namespace parameter_kind {

struct Integer {
    int64_t Parameters::*member;
    int64_t least, greatest;
};
struct Real {
    double Parameters::*member;
    double least, greatest;
};
struct Choice {
    std::string Parameters::*member;
    std::vector<std::string_view> values;
    std::vector<std::string> AddedNames::*added = nullptr;  // further values; null: there are none

    std::vector<std::string_view> all(const AddedNames &names) const {
        std::vector<std::string_view> result = values;
        if (added != nullptr) {
            result.insert(result.end(), (names.*added).begin(), (names.*added).end());
        }
        return result;
    }
};
struct Text {
    std::string Parameters::*member;
    std::string_view what;
};

struct InFile {  // that is read
    std::string Parameters::*member;
};
struct OutFile {  // that is written
    std::string Parameters::*member;
};

}  // namespace parameter_kind

struct ParameterRow {
    std::string_view name;
    std::variant<parameter_kind::Integer, parameter_kind::Real, parameter_kind::Choice,
                 parameter_kind::Text, parameter_kind::InFile, parameter_kind::OutFile>
        kind;
    std::string help;
};

// In the order in which they are documented.
const std::vector<ParameterRow> &parameter_table();

}  // namespace autoschedule_gpu
