// What a user may ask of a run: `autoscheduler.NAME=VALUE` on a generator's command line, or the
// `extra` map of Halide's AutoschedulerParams. Names, ranges and full meanings are in the table
// of src/plugins/README.md; these are the values of one run, and the defaults. Search strategies
// are handed them (search_strategy.h).
//
// Value type. Needs C++17 and the standard library.
#pragma once

#include <cstdint>
#include <string>

namespace autoschedule_gpu::api {

struct Options {
    std::string gpu = "auto";    // a preset, auto, or the path of a JSON file (gpu_model.h)
    std::string model = "auto";  // roofline, analytical, network, or a model that a library added
    std::string strategy = "auto";    // beam, greedy_grouping, plain, or one that a library added
    std::string fusion = "nested";    // what greedy_grouping may do: none, overlap, nested
    int64_t beam_size = 32;           // states that are kept per step
    int64_t num_passes = 5;           // of beam search
    int64_t seed = 0;                 // of every random choice
    int64_t threads = 0;              // to search with; 0: all cores
    double time_limit_s = 60;         // after which a search returns what it has
    std::string report;               // a file to write: JSON, what the search did
    std::string explain;              // a file to write: a page that explains the schedule
    std::string decisions;            // a file to read: what to decide (decision.h)
    std::string decisions_out;        // a file to write: what was decided
    std::string candidates;           // a file to read: lists of decisions that are priced
    std::string candidates_out;       // a file to write: their costs
    std::string trace;                // a file to read: the schedule (trace.h)
    std::string records;              // a file of tuning records
    std::string sizes;                // a file to read: several sizes, for one schedule
    std::string trace_out;            // a file to write: the schedule
    std::string respect = "keep";     // what users have scheduled: keep, or refuse
    std::string ptxas = "auto";       // NVIDIA's assembler: auto, off, or a path
    std::string disable_rules;        // names, separated by commas
    std::string enable_rules;         // likewise
    std::string disable_decisions;    // likewise, of kinds of decisions (decision.h)
    std::string sampling = "auto";    // auto, on, off: of similar decisions a few stand for all
    std::string freeze = "auto";      // auto, on, off: cheap stages are decided once
    std::string memo = "auto";        // auto, on, off: costs are remembered
    int64_t random_dropout = 100;     // per cent of the decisions that are kept
    int64_t random_dropout_seed = 0;  // added to seed for that
    std::string weights_path;         // a file of weights (weights.h)
    int64_t parallelism = 0;          // SMs; 0: the device's
    int64_t shared_memory_limit_kb = 0;     // per block; 0: the device's
    int64_t shared_memory_sm_limit_kb = 0;  // per SM; 0: the device's
    int64_t active_block_limit = 0;         // resident per SM; 0: the device's
    int64_t active_warp_limit = 0;          // resident per SM; 0: the device's
    std::string python_out;                 // a file to write: the schedule as Python text
    int64_t verbose = 1;                    // 0: silent, 1: a line at the end, 2: passes, too
};

}  // namespace autoschedule_gpu::api
