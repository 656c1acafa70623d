#include "compare/explain/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace autoschedule_gpu {

namespace {

// Three digits, or all of those before the point.
std::string digits(double value) {
    char text[32];
    const double size = std::abs(value);
    const int behind = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    std::snprintf(text, sizeof text, "%.*f", behind, value);
    return text;
}

template <size_t Count>
std::string named(const std::array<std::pair<std::string_view, std::string_view>, Count> &names,
                  std::string_view name) {
    for (const auto &[key, text] : names) {
        if (key == name) return std::string(text);
    }
    return std::string(name);
}

}  // namespace

std::string bytes_text(double bytes) {
    constexpr std::string_view kUnits[] = {" B", " kB", " MB", " GB", " TB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < std::size(kUnits)) {
        bytes /= 1000;
        ++unit;
    }
    return (unit == 0 ? count_text(bytes) : digits(bytes)) + std::string(kUnits[unit]);
}

std::string time_text(double us) {
    const double size = std::abs(us);
    if (size >= 999.5e3) return digits(us / 1e6) + " s";
    if (size >= 999.5) return digits(us / 1e3) + " ms";
    return digits(us) + " us";
}

std::string count_text(double count) {
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", count);
    std::string result(text);
    const size_t first = result.starts_with('-') ? 1 : 0;
    for (size_t i = result.size(); i > first + 3;) {
        i -= 3;
        result.insert(i, ",");
    }
    return result;
}

std::string difference_text(double us) {
    return (us < 0 ? "" : "+") + time_text(us);
}

std::string share_text(double share) {
    if (share > 0 && share < 0.01) return "<1 %";
    return std::to_string(std::lround(100 * share)) + " %";
}

std::string resource_text(std::string_view resource) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames = {
        {{"launch", "launch"},
         {"arithmetic", "arithmetic"},
         {"load_store", "loads and stores"},
         {"l2", "L2 cache"},
         {"dram", "DRAM"},
         {"latency", "waiting"},
         {"blocks", "beginnings of blocks"},
         {"barriers", "barriers"}}};
    return named(kNames, resource);
}

std::string func_of_stage(const std::string &stage) {
    return stage.substr(0, stage.find(".update("));
}

std::string memory_text(std::string_view memory) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kNames = {
        {{"global", "global memory"},
         {"shared", "shared memory"},
         {"registers", "registers"},
         {"local", "local memory"},
         {"host", "the host's memory"}}};
    return named(kNames, memory);
}

std::string place_text(std::string_view place) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNames = {
        {{"inline", "inline, where it is read"},
         {"threads", "in the threads that read it, in registers"},
         {"loop", "in the block, in the loop of the reduction that reads it"},
         {"block", "in the block that reads it, in shared memory"},
         {"block_loop", "in the block, its own reduction outside its threads"},
         {"block_outer_loop",
          "in the block, the outermost loop of its reduction outside its threads"},
         {"root", "in a kernel of its own, in global memory"}}};
    return named(kNames, place);
}

std::string decision_text(std::string_view kind, std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kNames = {
        {{"place", "where % is computed"},
         {"member_tile", "how threads share the copy %"},
         {"reduction", "who does the reduction %"},
         {"rows", "who does the rest of %"},
         {"serial", "points per thread along %"},
         {"threads", "threads along %"},
         {"sliding", "tiles that a block does along %"},
         {"storage", "innermost dimension of % in memory"},
         {"unroll", "which loops of % are unrolled"},
         {"steps", "iterations of % that are written out"},
         {"vectors", "vectors in %"},
         {"step_vectors", "vectors along the reduction of %"},
         {"channel_vectors", "vectors of the channels of %"},
         {"pixel_vectors", "vectors of the pixels of %"},
         {"multiples", "a schedule more for even extents of %"},
         {"loads_ahead", "loads ahead of the steps of %"},
         {"along_stores", "along which dimension the threads of % go"},
         {"compute_with", "in whose launch % is computed"}}};
    std::string text = named(kNames, kind);
    if (text == kind) return text + " of " + std::string(name);
    return text.replace(text.find('%'), 1, name);
}

}  // namespace autoschedule_gpu
