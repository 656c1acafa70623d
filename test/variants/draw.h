// Which of an expert's directives stay in a pipeline, drawn by a seed: those of a Func at once, or
// only some of them.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "variants/unschedule.h"

namespace variants {

struct Draw {
    uint64_t seed = 0;
    int keep_percent = 50;  // how likely a Func keeps all that has been scheduled of it
};

// Returns what stays, for each Func that has been scheduled. What cannot stand alone goes: a
// compute_at whose loops are gone, or outside of which the Func would be read; a compute_with whose
// partner is gone. Draws again, but not for ever, until something stays and something goes.
std::map<std::string, Kept> drawn(const std::vector<Halide::Internal::Function> &outputs,
                                  const Draw &draw);

// Takes the rest away; with odd seeds the wrappers of which nothing stays, too.
void keep_drawn(const std::vector<Halide::Internal::Function> &outputs,
                const std::map<std::string, Kept> &kept, uint64_t seed);

}  // namespace variants
