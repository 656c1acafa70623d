// list_devices: the devices that a schedule can be made for by name, and this machine's.
#include <iostream>

#include "common/command_line.h"
#include "core/gpu/driver.h"
#include "core/gpu/presets.h"
#include "present/table_parts.h"
#include "present/terminal.h"
#include "present/text.h"

namespace {

using namespace autoschedule_gpu;

TableLine line_of(const GpuModel &model, std::string_view source) {
    constexpr double kGiB = 1 << 30, kMiB = 1 << 20;
    TableLine line;
    for (const std::string &text :
         {model.name, std::string(to_string(model.api)), std::to_string(model.sm_count),
          number_text(model.clock_ghz), number_text(static_cast<double>(model.dram_bytes) / kGiB),
          number_text(model.dram_bandwidth_gb_per_s),
          number_text(static_cast<double>(model.l2_bytes) / kMiB), std::string(source)}) {
        line.cells.push_back({.text = clean_text(text)});
    }
    return line;
}

Table device_table() {
    Table table{.title = "Devices",
                .columns = {words("device"), words("API"), numbers("SMs", ""),
                            numbers("clock", "GHz"), numbers("memory", "GiB"),
                            numbers("bandwidth", "GB/s"), numbers("L2", "MiB"), words("source")},
                .sections = {{}},
                .legend =
                    "Any other device can be described in a JSON file "
                    "(src/core/gpu/gpu_model_file.h)."};
    std::vector<TableLine> &lines = table.sections[0].lines;
    for (const GpuPreset &preset : gpu_presets()) {
        lines.push_back(line_of(preset.model, preset.source));
    }
    if (const auto device = read_from_driver(kCudaDriverLibrary)) {
        lines.push_back(line_of(*device, "this machine's (autoscheduler.gpu=auto)"));
    } else {
        lines.back().note = "this machine: " + clean_text(device.error().message);
    }
    return table;
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "list_devices",
        .what = "Prints the devices that a schedule can be made for by name "
                "(autoscheduler.gpu=NAME), what they have and who says so, and this machine's "
                "CUDA device.",
        .examples = "list_devices",
        .statuses = "0 printed, 2 bad usage",
    });
    if (const auto done = line.parse(argc, argv)) return *done;
    std::cout << terminal_text({device_table()});
    return 0;
}
