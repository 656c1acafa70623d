// What is scheduled at random and measured: random pipelines and applications.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contest/application.h"
#include "measure/build_candidate.h"
#include "measure/tolerance.h"
#include "support/error.h"

namespace autoschedule_gpu {

struct Subject {
    std::string pipeline = {};   // as samples call it: "random:17", "app:harris"
    std::string size = {};       // "small"; of an application one of its app.json
    std::string generator = {};  // the program
    std::string generator_name = {};
    NamedValues params = {};
    Tolerance tolerance = {};
};

// Where subjects come from.
struct SubjectSource {
    std::string random_generator = {};  // the program random_pipeline.generator
    std::string work = "small";         // of random pipelines: small or large
    std::vector<Application> applications = {};
    std::string app_size = "reduced";
};

// Parts with '+' between:
//
//     random:20      the random pipelines of seeds 0 to 19
//     random:20-39   of seeds 20 to 39
//     apps           all applications
//     apps:harris    those named, with commas between
//     both           random:100+apps
//
// The error names the part. A subject that is named twice is there once.
Result<std::vector<Subject>> parse_subjects(std::string_view text, const SubjectSource &source);

}  // namespace autoschedule_gpu
