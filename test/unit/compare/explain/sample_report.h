// A report with one of everything that the page about a schedule shows. The numbers are invented.
#pragma once

#include <string>
#include <string_view>

namespace autoschedule_gpu::sample {

// Replaces the first `from`, which must be there.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
}

// Of in -> blur (with blur_x in the block) -> out.
inline const std::string kReport = R"({
    "format": "autoschedule_gpu.report", "version": 1,
    "target": "x86-64-linux-cuda", "gpu": "A100", "model": "roofline", "chosen": "search",
    "parameters": {"seed": "1"}, "pipeline": {"hash": "00c0ffee00c0ffee"},
    "predicted_us": 30.0, "total_seconds": 0.75,
    "trials": {"chosen_was_tried": true},
    "search": {"stop": {"reason": "completed", "text": "completed"}, "seconds": 0.5, "passes": 2,
               "states_enumerated": 12345, "states_rejected": 678, "states_scored": 910,
               "rejections": {"code_size": 17, "idle_sms": 0, "low_lane_use": 1200},
               "parts": [{"attempt": "search", "name": "improve_tilings", "seconds": 0.0625,
                          "states": 5, "cost_before_us": 31.75, "cost_after_us": null}]},
    "trial_lowerings_refused": [{"kind": "search", "error": "some <error>", "nest": ""}],
    "predictions": [
        {"stage": "blur", "on_host": false, "host_reason": null, "stages": ["blur_x", "blur"],
         "inlined": ["edge"], "predicted_us": 20.0, "bound_by": "dram",
         "terms_us": {"launch": 3.0, "arithmetic": 4.0, "load_store": 5.0, "l2": 6.0,
                      "dram": 15.0, "latency": 7.0, "blocks": 2.0, "barriers": 1.5},
         "warp_occupancy": 0.5,
         "occupancy": {"limit": "registers", "blocks_per_sm": 2, "warps_per_sm": 32,
                       "most_warps_per_sm": 64},
         "blocks": 480, "threads_per_block": 512, "shared_bytes_per_block": 4096,
         "registers_estimated": 60, "spills_estimated": 3,
         "global_bytes_read": 4000000, "dram_bytes_read": 4000000, "dram_bytes_written": 8000000,
         "transaction_load_bytes": 6000000, "transaction_store_bytes": 8000000,
         "buffers": [
            {"func": "in", "access": "read", "memory": "global", "bytes": 4000000,
             "bytes_of_block": 9000, "dram": true},
            {"func": "blur", "access": "written", "memory": "global", "bytes": 8000000,
             "bytes_of_block": 0, "dram": true},
            {"func": "blur_x", "access": "kept", "memory": "shared", "bytes": 4096,
             "bytes_of_block": 0, "dram": false}]},
        {"stage": "out", "on_host": false, "host_reason": null, "stages": ["out"],
         "inlined": [], "predicted_us": 10.0, "bound_by": "latency",
         "terms_us": {"launch": 3.0, "arithmetic": 1.0, "load_store": 1.0, "l2": 2.0,
                      "dram": 1.0, "latency": 5.0, "blocks": 0.5, "barriers": 0.25},
         "warp_occupancy": 1.0,
         "occupancy": {"limit": "warps", "blocks_per_sm": 8, "warps_per_sm": 64,
                       "most_warps_per_sm": 64},
         "blocks": 480, "threads_per_block": 256, "shared_bytes_per_block": 0,
         "registers_estimated": 24, "spills_estimated": 0,
         "global_bytes_read": 8000000, "dram_bytes_read": 8000000, "dram_bytes_written": 1000000,
         "transaction_load_bytes": 8500000, "transaction_store_bytes": 1000000,
         "buffers": [
            {"func": "blur", "access": "read", "memory": "global", "bytes": 8000000,
             "bytes_of_block": 16000, "dram": true},
            {"func": "out", "access": "written", "memory": "global", "bytes": 1000000,
             "bytes_of_block": 0, "dram": true}]}],
    "loops": [
        {"stage": "blur", "level": "blocks", "memory": "global", "in_loop_of": null,
         "loops": [{"name": "x", "extent": 24, "written_out": 1},
                   {"name": "y", "extent": 20, "written_out": 1}],
         "body": [
            {"stage": "blur_x", "level": "threads", "memory": "shared", "in_loop_of": null,
             "loops": [{"name": "x", "extent": 512, "written_out": 1}],
             "body": [{"stage": "blur_x", "level": "serial", "memory": "shared",
                       "in_loop_of": null, "loops": [], "body": []}]},
            {"stage": "blur", "level": "threads", "memory": "global", "in_loop_of": null,
             "loops": [{"name": "x", "extent": 512, "written_out": 1}],
             "body": [{"stage": "blur", "level": "serial", "memory": "global",
                       "in_loop_of": null,
                       "loops": [{"name": "y", "extent": 4, "written_out": 4}], "body": []}]}]},
        {"stage": "out", "level": "blocks", "memory": "global", "in_loop_of": null,
         "loops": [{"name": "x", "extent": 480, "written_out": 1}],
         "body": [{"stage": "out", "level": "threads", "memory": "global", "in_loop_of": null,
                   "loops": [{"name": "x", "extent": 256, "written_out": 1}],
                   "body": [{"stage": "out", "level": "serial", "memory": "global",
                             "in_loop_of": null, "loops": [], "body": []}]}]}],
    "kernels": [{"name": "_kernel_blur", "blocks": [24, 20, 1], "threads": [512, 1, 1],
                 "shared_bytes": 4096, "code_values": 321, "live_words": 44, "registers": 40,
                 "spill_bytes": 0},
                {"name": "_kernel_out", "blocks": [null, 1, 1], "threads": [256, 1, 1],
                 "shared_bytes": 0, "code_values": 20, "live_words": 11, "registers": null,
                 "spill_bytes": null}],
    "funcs": [{"name": "in", "kind": "input", "types": ["uint8"], "extents": [2000, 2000],
               "reads": [], "updates": 0, "place": null},
              {"name": "edge", "kind": "internal", "types": ["uint8"], "extents": [2002, 2002],
               "reads": ["in"], "updates": 0, "place": "inline"},
              {"name": "blur_x", "kind": "internal", "types": ["uint16"], "extents": [2000, 2002],
               "reads": ["edge"], "updates": 0, "place": "block"},
              {"name": "blur", "kind": "internal", "types": ["uint16"], "extents": [2000, 2000],
               "reads": ["blur_x"], "updates": 0, "place": "root"},
              {"name": "out", "kind": "output", "types": ["uint8"], "extents": [1000, 1000],
               "reads": ["blur"], "updates": 0, "place": "root"}],
    "alternatives": {"predicted_us": 30.0, "seconds": 0.1, "decisions": [
        {"name": "blur_x", "kind": "place", "value": "block", "others": [
            {"value": "inline", "predicted_us": 42.5, "refused": null},
            {"value": "root", "predicted_us": 55.0, "refused": null},
            {"value": "threads", "predicted_us": null, "refused": "too much for a thread"}]},
        {"name": "out.x", "kind": "threads", "value": 256, "others": [
            {"value": 128, "predicted_us": 29.5, "refused": null}]}]}
})";

}  // namespace autoschedule_gpu::sample
