// The built-in rules, family by family. A family is a file: the functions of its rules and, at its
// end, the list of them. Each list is asked in its order, the families in the order below: the
// first rule that says no is the one that is counted.
#pragma once

#include <vector>

#include "scheduler/rules/rule.h"

namespace autoschedule_gpu {

std::vector<AnyRule> named_rules();  // first: named_rules.h has their places
std::vector<AnyRule> nesting_rules();
std::vector<AnyRule> hardware_rules();
std::vector<AnyRule> register_rules();
std::vector<AnyRule> recompute_rules();
std::vector<AnyRule> size_rules();
std::vector<AnyRule> code_rules();
std::vector<AnyRule> parallelism_rules();
std::vector<AnyRule> atomics_rules();

}  // namespace autoschedule_gpu
