#include "compare/explain/loops_picture.h"

#include <algorithm>

#include "compare/explain/words.h"
#include "present/html.h"

namespace autoschedule_gpu {

namespace {

// "x 64 × y 8", the innermost loop first.
std::string loops_text(const std::vector<ExplainedLoop> &loops) {
    std::string text;
    for (const ExplainedLoop &loop : loops) {
        if (!text.empty()) text += " × ";
        text += loop.name + " ";
        text += loop.extent ? count_text(static_cast<double>(*loop.extent)) : "as many as it takes";
    }
    return text;
}

// "512"; empty where an extent is not known.
std::string product_text(const std::vector<ExplainedLoop> &loops) {
    double product = 1;
    for (const ExplainedLoop &loop : loops) {
        if (!loop.extent) return "";
        product *= static_cast<double>(*loop.extent);
    }
    return count_text(product);
}

std::string counted(const ExplainedLoops &loops, const std::string &one, const std::string &many) {
    const std::string product = product_text(loops.loops);
    if (product == "1") return "1 " + one;
    return (product.empty() ? "" : product + " ") + many + ": " + loops_text(loops.loops);
}

// Of the innermost loops: what a thread does one after the other.
std::string serial_text(const ExplainedLoops &loops) {
    if (loops.loops.empty()) return "one point per thread";
    std::string text = loops_text(loops.loops) + " per thread";
    if (loops.level != "serial") text += ", as far apart as there are threads";
    std::string written, looped;
    for (const ExplainedLoop &loop : loops.loops) {
        if (loop.extent && loop.written_out >= *loop.extent) {
            written += (written.empty() ? "" : ", ") + loop.name;
        } else if (loop.written_out > 1) {
            looped += (looped.empty() ? "" : ", ") + loop.name + " by " +
                      count_text(static_cast<double>(loop.written_out));
        }
    }
    if (!written.empty()) text += "; " + written + " unrolled";
    if (!looped.empty()) text += "; steps of " + looped;
    return text;
}

std::string head_of(const ExplainedLoops &loops) {
    if (loops.level == "blocks") return counted(loops, "block", "blocks");
    if (loops.level == "threads") return counted(loops, "thread", "threads");
    return serial_text(loops);
}

std::string box_of(const ExplainedLoops &loops) {
    const bool is_innermost = loops.body.empty();
    const std::string level =
        loops.level == "blocks" || loops.level == "threads" ? loops.level : "serial";
    std::string head = element("span", {{"class", "loops-head"}}, html_text(head_of(loops)));
    if (level == "threads") head += " " + element("b", {}, html_text(loops.stage));
    if (!loops.in_loop_of.empty()) {
        head +=
            " " + element("small", {},
                          html_text("in each iteration of the reduction of " + loops.in_loop_of));
    }
    if (is_innermost) {
        head = element("b", {}, html_text(loops.stage)) + " → " +
               html_text(memory_text(loops.memory)) + "<br/>" + head;
    }
    std::string body;
    for (const ExplainedLoops &child : loops.body) body += box_of(child);
    const std::string kind =
        is_innermost ? "loops serial memory-" + loops.memory : "loops " + level;
    return element("div", {{"class", kind}}, element("div", {}, head) + "\n" + body) + "\n";
}

}  // namespace

std::string loops_picture(const ExplainedLoops &kernel) {
    return box_of(kernel);
}

std::string loops_legend() {
    std::string text;
    for (const std::string memory : {"registers", "shared", "global"}) {
        text += element("span", {{"class", "key memory-" + memory}},
                        html_text("stored in " + memory_text(memory))) +
                " ";
    }
    return element(
               "p", {{"class", "legend"}},
               "A box with a double edge runs as blocks, one with a dashed edge as threads, one "
               "below the other with a barrier between; filled boxes are what a thread does. " +
                   text) +
           "\n";
}

}  // namespace autoschedule_gpu
