// The autoscheduler's JSON report as data, as far as a page about the schedule needs it. What the
// fields mean is written down where they are made (plugins/autoscheduler/report.h).
//
//     report ─► Explained ─► page | comparison with another schedule
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct ExplainedLoop {
    std::string name = {};
    std::optional<int64_t> extent = {};
    int64_t written_out = 1;

    friend bool operator==(const ExplainedLoop &, const ExplainedLoop &) = default;
};

// Loops of one stage at one level, with what runs in them.
struct ExplainedLoops {
    std::string stage = {}, level = {}, memory = {}, in_loop_of = {};
    std::vector<ExplainedLoop> loops = {};  // innermost first
    std::vector<ExplainedLoops> body = {};

    friend bool operator==(const ExplainedLoops &, const ExplainedLoops &) = default;
};

struct ExplainedBuffer {
    std::string func = {}, access = {}, memory = {};
    double bytes = 0, bytes_of_block = 0;
    bool dram = false;
};

// A resource and how long a kernel keeps it busy, by the roofline.
struct ExplainedTerm {
    std::string resource = {};
    double us = 0;
};

struct ExplainedOccupancy {
    std::string limit = {};
    int64_t blocks_per_sm = 0, warps_per_sm = 0, most_warps_per_sm = 0;
};

// A launch. Of a schedule that was given as directives only `stage`, `stages` and `loops` are
// known.
struct ExplainedKernel {
    std::string stage = {}, host_reason = {}, bound_by = {};
    bool on_host = false;
    std::vector<std::string> stages = {}, inlined = {};
    std::optional<double> predicted_us = {};
    std::vector<ExplainedTerm> terms = {};  // empty: not known
    std::optional<ExplainedOccupancy> occupancy = {};
    double blocks = 0, threads = 0, shared_bytes = 0, registers = 0, spills = 0;
    double global_bytes_read = 0, dram_bytes_read = 0, dram_bytes_written = 0;
    double transaction_load_bytes = 0, transaction_store_bytes = 0;
    std::vector<ExplainedBuffer> buffers = {};
    std::vector<ExplainedLoops> loops = {};  // a tree per kernel of the launch
};

// As Halide lowered it.
struct ExplainedLaunch {
    std::string name = {};
    // In words: "24 x 80", "not known before it runs".
    std::string blocks = {}, threads = {};
    std::optional<int64_t> shared_bytes = {}, code_values = {}, live_words = {}, registers = {},
                           spill_bytes = {};
};

struct ExplainedFunc {
    std::string name = {}, kind = {}, place = {};
    std::vector<std::string> types = {}, reads = {};
    std::vector<int64_t> extents = {};
};

struct ExplainedChoice {
    std::string value = {}, refused = {};
    std::optional<double> predicted_us = {};
};

struct ExplainedDecision {
    std::string name = {}, kind = {}, value = {};
    std::vector<ExplainedChoice> others = {};

    // The cheapest of the others that has a cost; null: all are refused.
    const ExplainedChoice *second() const;
};

struct ExplainedPart {
    std::string attempt = {}, name = {};
    double seconds = 0;
    uint64_t states = 0;
    std::optional<double> before_us = {}, after_us = {};
};

struct ExplainedSearch {
    std::string stop = {};  // why it ended
    bool is_complete = false;
    double seconds = 0;
    uint64_t passes = 0, enumerated = 0, rejected = 0, scored = 0;
    std::vector<ExplainedPart> parts = {};
    std::vector<std::pair<std::string, uint64_t>> rejections = {};  // the most first
};

struct Explained {
    std::string gpu = {}, target = {}, model = {}, chosen = {}, pipeline = {};
    std::optional<double> predicted_us = {};
    double total_seconds = 0;
    bool was_tried = false;  // Halide has lowered it
    std::vector<ExplainedKernel> kernels = {};
    std::vector<ExplainedLaunch> launches = {};
    std::vector<ExplainedFunc> funcs = {};
    std::optional<double> decided_us = {};  // of the decisions; none: others were not priced
    std::vector<ExplainedDecision> decisions = {};
    std::optional<ExplainedSearch> search = {};
    std::vector<std::pair<std::string, std::string>> refused = {};  // attempt, Halide's words
    std::map<std::string, std::string> parameters = {};

    const ExplainedFunc *func(std::string_view name) const;
    // The names of its outputs: what a schedule is called.
    std::string name() const;
};

// Returns an error if the text is not a report, or one without a field that is needed.
Result<Explained> read_explained(std::string_view json);

}  // namespace autoschedule_gpu
