// Quantities and names of a schedule as people say them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

// "512 B", "31.6 MB"; powers of 1000, with three digits.
std::string bytes_text(double bytes);
// Microseconds as "0.51 us", "509 us", "1.83 ms", "2.1 s".
std::string time_text(double us);
// "1,920"
std::string count_text(double count);
// "+12.3 us", "-0.4 us"
std::string difference_text(double us);
// "36 %", of 0.36; "<1 %".
std::string share_text(double share);

// What a term of the roofline is: "DRAM", "waiting". The names are those of the report.
std::string resource_text(std::string_view resource);
// "blur", of "blur.update(0)": the Func of a stage.
std::string func_of_stage(const std::string &stage);
// "shared memory", "registers of the thread", "global memory".
std::string memory_text(std::string_view memory);
// Where a Func is computed: "in each block of its reader, in shared memory".
std::string place_text(std::string_view place);
// What a decision is about: "where blur_y is computed", "threads along blur_y.x".
std::string decision_text(std::string_view kind, std::string_view name);

}  // namespace autoschedule_gpu
