// Wrappers that users have made with Func::in and Func::clone_in. Halide puts them between a Func
// and its readers when it lowers a pipeline; here that is done to a copy, so that all of reading
// sees the calls that will be there.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

namespace autoschedule_gpu::reading {

namespace HI = Halide::Internal;

struct UserWrapper {
    std::string wraps;
    std::string reader;  // empty: all
    // Whether Func::in of these two finds it, and so a schedule can name it: it holds what the
    // other holds, for one reader or for all, and both are Funcs of the pipeline or can be named
    // likewise.
    bool can_be_named = false;
};

// By the wrappers' names. `order`: the Funcs that Pipeline::get_func gives.
std::map<std::string, UserWrapper> user_wrappers(const std::map<std::string, HI::Function> &env,
                                                 const std::vector<std::string> &order);

// Replaces the Funcs by copies whose readers call the wrappers.
void call_wrappers(std::vector<HI::Function> &outputs, std::map<std::string, HI::Function> &env);

}  // namespace autoschedule_gpu::reading
