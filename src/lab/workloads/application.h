// The applications that schedulers are compared on. Each has a generator program and an app.json:
//
//     {"sizes": {"full": {"width": 1536, "height": 2560}, "full_odd": {...}, ...},
//      "float_tolerance": 1e-4, "integer_steps": 1,                 (optional: see Tolerance)
//      "inputs": {"weights": {"least": -1, "greatest": 1}}}         (optional: see InputRange)
//
// A size is a set of GeneratorParams: what the pipeline is scheduled for, and the shapes of its
// arguments there. Every application has "tiny", "reduced", "reduced_odd", "half", "full" and
// "full_odd"; the odd ones are no multiples of usual tiles.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/build/build_candidate.h"
#include "lab/run/input_range.h"
#include "lab/run/tolerance.h"

namespace autoschedule_gpu {

struct Application {
    std::string name = {};
    std::string generator = {};  // the program
    std::map<std::string, NamedValues> sizes = {};
    Tolerance tolerance = {};
    InputRanges inputs = {};  // of inputs that are not filled as usual
};

// What app.json says; `name` and `generator` stay empty. Errors name the field, or the line of text
// that is no JSON.
Result<Application> parse_application(std::string_view json);

// All applications of `apps_folder`/NAME/app.json, by name, whose generators are
// `bin_folder`/NAME.generator. An error if there is none, or if a file is at fault.
Result<std::vector<Application>> find_applications(const std::string &apps_folder,
                                                   const std::string &bin_folder);

// "all", or names separated by commas; in that order. The error lists the names that there are.
Result<std::vector<Application>> choose_applications(const std::vector<Application> &all,
                                                     std::string_view names);

// The parameters of a size; the error lists the sizes that there are.
Result<NamedValues> size_parameters(const Application &application, const std::string &size);

}  // namespace autoschedule_gpu
