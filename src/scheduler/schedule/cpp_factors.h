// The text of what takes reductions apart (factors.h). Unlike other calls these have an order of
// their own, over several Funcs, and declare Funcs that others use.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/cpp_identifiers.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// `dag`: before, `factored`: after. `funcs`: identifiers by number; those of the Funcs that are
// made are added. Returns lines.
std::vector<std::string> cpp_factors(const Schedule &factors, const Dag &dag, const Dag &factored,
                                     Identifiers &identifiers, std::map<int, std::string> &funcs);

}  // namespace autoschedule_gpu
