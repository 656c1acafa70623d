// Several schedules of one pipeline, each for its sizes, as C++ text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scheduler/schedule/size_sections.h"

namespace autoschedule_gpu {

// What the text of a section calls its pipeline; and the names that stand around it.
std::string section_pipeline(size_t section, size_t sections);
std::vector<std::string> names_around_sections(size_t sections);

// `texts`: what is done in each section with its pipeline.
std::string cpp_sections(const std::vector<SizeSection> &sections,
                         const std::vector<std::string> &texts);

}  // namespace autoschedule_gpu
