// The autoscheduler's parameters: `autoscheduler.NAME=VALUE` on a generator's command line, or the
// `extra` map of Halide's AutoschedulerParams. One table, from which parsing, errors, help and the
// README's table come. Names that Halide's Anderson2021 has mean the same here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "space/rules.h"
#include "support/error.h"

namespace autoschedule_gpu {

struct Parameters {
    std::string gpu = "auto";
    std::string model = "auto";
    std::string strategy = "auto";
    std::string fusion = "nested";
    int64_t beam_size = 32;
    int64_t num_passes = 5;
    int64_t seed = 0;
    int64_t threads = 0;
    double time_limit_s = 60;
    std::string report;
    std::string decisions;
    std::string decisions_out;
    std::string trace;
    std::string records;
    std::string trace_out;
    std::string ptxas = "auto";
    std::string disable_rules;
    std::string enable_rules;
    std::string sampling = "auto";
    std::string freeze = "auto";
    std::string memo = "auto";
    int64_t random_dropout = 100;
    int64_t random_dropout_seed = 0;
    std::string weights_path;
    int64_t parallelism = 0;
    int64_t shared_memory_limit_kb = 0;
    int64_t shared_memory_sm_limit_kb = 0;
    int64_t active_block_limit = 0;
    int64_t active_warp_limit = 0;
};

// Errors: an unknown name (with the nearest known one), a value outside its range, each naming
// what was expected and what was found.
Result<Parameters> parse_parameters(const std::map<std::string, std::string> &extra);

// The rules in force after `disable_rules` and `enable_rules`.
Result<RuleSet> rule_set(const Parameters &parameters);

struct ParameterInfo {
    std::string_view name;
    std::string range;  // "1 to 100000", "auto, roofline", "a file"
    std::string default_value;
    std::string_view help;
};
std::vector<ParameterInfo> parameter_list();

// The table as Markdown, as it stands in the README.
std::string parameters_markdown();

}  // namespace autoschedule_gpu
