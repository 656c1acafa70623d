#include "compare/explain/kernel_section.h"

#include "compare/explain/glossary.h"
#include "compare/explain/kernel_graph.h"
#include "compare/explain/limits.h"
#include "compare/explain/loops_picture.h"
#include "compare/explain/words.h"
#include "present/html.h"
#include "present/html_bars.h"
#include "present/html_page.h"
#include "present/table_parts.h"

namespace autoschedule_gpu {

namespace {

std::string paragraph(const std::string &markup) {
    return markup.empty() ? "" : element("p", {}, markup) + "\n";
}

std::string resources(const ExplainedKernel &kernel) {
    std::vector<HtmlBar> bars;
    for (const auto &[resource, us] : kernel.terms) {
        const std::string name = resource_text(resource);
        bars.push_back({term_link(name), us, time_text(us), resource == kernel.bound_by});
    }
    return html_bars(bars);
}

std::string whose(const ExplainedBuffer &buffer) {
    if (buffer.access != "kept") return buffer.dram ? "DRAM" : "L2 cache";
    return buffer.memory == "shared" ? "a block's shared memory"
                                     : "a thread's " + memory_text(buffer.memory);
}

Table buffers_table(const ExplainedKernel &kernel) {
    Table table{.columns = {words("array"), words("is"), words("in"), numbers("footprint"),
                            numbers("of it, a block reads")}};
    if (kernel.buffers.empty()) return table;
    TableSection &section = table.sections.emplace_back();
    for (const ExplainedBuffer &buffer : kernel.buffers) {
        const std::string block = buffer.access == "read" ? bytes_text(buffer.bytes_of_block) : "";
        section.lines.push_back(
            line({buffer.func, buffer.access, whose(buffer), bytes_text(buffer.bytes), block}));
    }
    return table;
}

std::string traffic_text(const ExplainedKernel &kernel) {
    if (kernel.on_host || kernel.terms.empty()) return "";
    return term_link("DRAM") + ": " + html_text(bytes_text(kernel.dram_bytes_read)) + " read, " +
           html_text(bytes_text(kernel.dram_bytes_written)) + " written. Its warps touch " +
           html_text(bytes_text(kernel.transaction_load_bytes)) + " in whole " +
           term_link("sector", "sectors") + " to load, " +
           html_text(bytes_text(kernel.transaction_store_bytes)) + " to store.";
}

std::string limits(const Explained &schedule, const ExplainedKernel &kernel) {
    if (!kernel.predicted_us) return "";
    const std::string limiter =
        kernel.on_host ? "" : "Limited by " + resource_text(kernel.bound_by) + ". ";
    return paragraph(element("b", {}, html_text(limiter)) + html_text(limiter_text(kernel)) + " " +
                     html_text(relief_text(schedule, kernel))) +
           (kernel.on_host ? "" : resources(kernel));
}

std::string resident(const ExplainedKernel &kernel) {
    if (!kernel.occupancy) return "";
    std::string text = term_link("occupancy", "Occupancy") + ": " +
                       html_text(occupancy_text(kernel)) + " About " +
                       html_text(count_text(kernel.registers)) + " " + term_link("registers") +
                       " per thread, " + html_text(bytes_text(kernel.shared_bytes)) + " of " +
                       term_link("shared memory") + " per block.";
    if (kernel.spills > 0) {
        text += " About " + html_text(count_text(kernel.spills)) + " values per thread " +
                term_link("spill") + ".";
    }
    const double share = static_cast<double>(kernel.occupancy->warps_per_sm) /
                         static_cast<double>(kernel.occupancy->most_warps_per_sm);
    const std::string width = "width:" + std::to_string(static_cast<int>(100 * share)) + "%";
    const std::string fill = element("span", {{"class", "fill"}, {"style", width}}, "");
    return paragraph(text) + element("div", {{"class", "track meter"}}, fill) + "\n";
}

std::string inlined(const ExplainedKernel &kernel) {
    if (kernel.inlined.empty()) return "";
    std::string names;
    for (const std::string &name : kernel.inlined) names += (names.empty() ? "" : ", ") + name;
    return element("details", {},
                   element("summary", {},
                           std::to_string(kernel.inlined.size()) + " Funcs are computed " +
                               term_link("inline")) +
                       paragraph(html_text(names))) +
           "\n";
}

std::string heading(const Explained &schedule, size_t index) {
    const ExplainedKernel &kernel = schedule.kernels[index];
    std::string text = std::to_string(index + 1) + ". " + kernel.stage;
    if (kernel.predicted_us) {
        const double all = schedule.predicted_us.value_or(0);
        text += ": " + time_text(*kernel.predicted_us);
        if (all > 0) text += ", " + share_text(*kernel.predicted_us / all) + " of all";
    }
    return element("h3", {}, html_text(text));
}

}  // namespace

std::string kernel_section(const Explained &schedule, size_t index) {
    const ExplainedKernel &kernel = schedule.kernels[index];
    std::string pictures;
    for (const ExplainedLoops &loops : kernel.loops) pictures += loops_picture(loops);
    const Table buffers = buffers_table(kernel);
    const std::string why =
        limits(schedule, kernel) + paragraph(traffic_text(kernel)) + resident(kernel);
    const std::string what = pictures + (buffers.sections.empty() ? "" : html_table(buffers));
    const std::string beside = why.empty() ? what
                                           : element("div", {{"class", "beside"}},
                                                     "\n" + element("div", {}, "\n" + what) + "\n" +
                                                         element("div", {}, "\n" + why)) +
                                                 "\n";
    return element("article", {{"id", kernel_id(index)}, {"class", "kernel"}},
                   "\n" + heading(schedule, index) + "\n" + beside + inlined(kernel)) +
           "\n";
}

}  // namespace autoschedule_gpu
