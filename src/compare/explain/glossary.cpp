#include "compare/explain/glossary.h"

#include <algorithm>

#include "present/html.h"

namespace autoschedule_gpu {

namespace {

struct Term {
    std::string_view name, meaning;
};

constexpr Term kTerms[] = {
    {"Func", "a function of the pipeline; its stages are its pure definition and its updates"},
    {"kernel", "what one launch computes: a Func at root, and what is computed inside it"},
    {"block",
     "threads that share memory and can wait for each other; a kernel's blocks run in any order"},
    {"thread", "one of a block's workers, with registers of its own"},
    {"warp", "32 threads that go in step"},
    {"SM", "a multiprocessor, what OpenCL calls a compute unit: it runs some blocks at a time"},
    {"occupancy",
     "warps that an SM has at once, as a share of what it can hold: while some wait, others work"},
    {"registers", "a thread's own memory; the compiler decides how many, which is estimated here"},
    {"shared memory",
     "a block's own memory on the SM; its threads wait for each other (a barrier) between writing "
     "and reading it"},
    {"global memory",
     "the device's memory, which all kernels share; reached through L1, the L2 cache and DRAM"},
    {"DRAM",
     "the memory chips: what is too large for the L2 cache, and inputs and outputs, pass through "
     "them"},
    {"L2 cache",
     "the device's cache: what one kernel wrote and another reads soon is still there if it is "
     "small"},
    {"sector",
     "32 bytes, the least that is fetched; a warp's access touches as many as its addresses are "
     "spread over"},
    {"arithmetic", "instructions that compute, addresses included"},
    {"loads and stores",
     "instructions that access global or shared memory, and the passes that these take"},
    {"waiting",
     "time in which no warp of an SM can go on, because all wait for data, results or barriers"},
    {"launch", "what it takes to start a kernel, whatever it does"},
    {"beginnings of blocks",
     "what it takes to hand a kernel's blocks to the SMs, whatever they do"},
    {"barriers", "what it takes the warps of a block to pass the points where all wait for all"},
    {"inline", "computed anew wherever it is read; nothing is stored"},
    {"unrolled",
     "a loop whose iterations are written out one after the other, so that they share loads and "
     "run at the same time"},
    {"footprint", "distinct bytes: each counts once, however often it is read"},
    {"predicted",
     "by the cost model; times of resources are those of the roofline model: the longest of them "
     "counts whole, of the others a part"},
    {"second choice",
     "the cheapest other value of one decision, all others being as they are; of what no limit or "
     "rule forbids"},
    {"code values",
     "results that a kernel's code computes for one thread, as it is written out: how long the "
     "code is"},
    {"live words", "32-bit values that a thread keeps at once at most, before the compiler"},
    {"spill", "values that find no register and are stored in memory, and loaded again"},
};

std::string id_of(std::string_view term) {
    std::string id = "term-" + std::string(term);
    std::ranges::replace(id, ' ', '-');
    return id;
}

}  // namespace

std::string term_link(std::string_view term, std::string_view text) {
    if (std::ranges::find(kTerms, term, &Term::name) == std::end(kTerms)) return html_text(text);
    return element("a", {{"href", "#" + id_of(term)}, {"class", "term"}}, html_text(text));
}

std::string glossary_html() {
    std::string list;
    for (const auto &[name, meaning] : kTerms) {
        list += element("dt", {{"id", id_of(name)}}, html_text(name)) +
                element("dd", {}, html_text(meaning)) + "\n";
    }
    return element("dl", {}, "\n" + list) + "\n";
}

}  // namespace autoschedule_gpu
