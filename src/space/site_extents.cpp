#include "space/site_extents.h"

#include <algorithm>

#include "support/hash.h"

namespace autoschedule_gpu {

namespace {

// Answers; each takes about half a kilobyte.
constexpr size_t kMostRemembered = size_t{1} << 16;

// Loops of a Func whose extents are known only at run time: all must be threads, for a loop in a
// thread would be unrolled.
constexpr int kThreadLoops = 3;

enum Question : uint64_t { kBlockQuestion, kThreadQuestion };

void add_stages(const Band &band, Hasher &hasher) {
    hasher.add(band.body.size());
    for (const BandPtr &inner : band.body) hasher.add(inner->stage.index());
}

void add_funcs(std::span<const FuncId> funcs, Hasher &hasher) {
    hasher.add(funcs.size());
    for (FuncId func : funcs) hasher.add(func.index());
}

uint64_t block_question(const Kernel &kernel, const Tiling &tiling, std::span<const FuncId> funcs) {
    Hasher hasher;
    hasher.add(kBlockQuestion);
    hasher.add(kernel.stage.index());
    for (const LoopTile &tile : tiling) hasher.add(static_cast<uint64_t>(tile.points()));
    for (const BandPtr &threads : kernel.blocks->body) add_stages(*threads, hasher);
    add_funcs(kernel.inlined, hasher);
    add_funcs(funcs, hasher);
    return hasher.value();
}

uint64_t thread_question(const Kernel &kernel, const Band &threads, FuncId func) {
    Hasher hasher;
    hasher.add(kThreadQuestion);
    hasher.add(kernel.stage.index()).add(threads.stage.index()).add(func.index());
    for (int64_t trips : threads.body.back()->trips) hasher.add(static_cast<uint64_t>(trips));
    add_stages(threads, hasher);
    add_funcs(kernel.inlined, hasher);
    return hasher.value();
}

}  // namespace

void ExtentsOfFuncs::add(Known known, const ConstantExtents &extents) {
    const auto first = static_cast<uint32_t>(points_.size());
    if (extents) points_.insert(points_.end(), extents->begin(), extents->end());
    ranges_.push_back({first, static_cast<uint32_t>(points_.size()) - first, known});
}

std::optional<std::span<const int64_t>> ExtentsOfFuncs::of(size_t place) const {
    const Range &range = ranges_[place];
    if (range.known == Known::no) return std::nullopt;
    return std::span(points_).subspan(range.first, range.count);
}

SiteExtents::SiteExtents(const Dag &dag) : dag_(dag), known_(kMostRemembered) {}

SiteExtents::Answer SiteExtents::in_block(const Kernel &kernel, const Tiling &tiling,
                                          std::span<const FuncId> funcs) {
    return known_.get(block_question(kernel, tiling, funcs),
                      [&] { return compute_in_block(kernel, tiling, funcs); });
}

SiteExtents::Answer SiteExtents::in_thread(const Kernel &kernel, const Band &threads, FuncId func) {
    using Known = ExtentsOfFuncs::Known;
    // Where Halide does not know how far the loops of a stage in the block run, it does not know
    // what one thread of them needs either.
    const FuncId site = dag_.stage(threads.stage).func;
    if (threads.stage != kernel.stage &&
        in_block(kernel, kernel.tiling, {&site, 1})->known(0) != Known::constant) {
        auto unknown = std::make_shared<ExtentsOfFuncs>();
        unknown->add(Known::no, std::nullopt);
        return unknown;
    }
    return known_.get(thread_question(kernel, threads, func), [&] {
        const ConstantExtents extents = extents_in_thread(dag_, kernel, threads, func);
        auto answer = std::make_shared<ExtentsOfFuncs>();
        answer->add(extents ? Known::constant : Known::no, extents);
        return Answer(std::move(answer));
    });
}

SiteExtents::Answer SiteExtents::compute_in_block(const Kernel &kernel, const Tiling &tiling,
                                                  std::span<const FuncId> funcs) const {
    using Known = ExtentsOfFuncs::Known;
    std::vector<KnownExtents> known = extents_in_block(dag_, kernel, tiling, funcs);
    std::vector<ConstantExtents> extents;
    std::vector<size_t> open;  // places of those that may be known at run time
    for (size_t i = 0; i < funcs.size(); ++i) {
        extents.push_back(if_all_known(known[i]));
        if (!extents[i] && dag_.func(funcs[i]).stages.size() == 1) open.push_back(i);
    }
    std::vector<FuncId> asked;
    std::vector<KnownExtents> known_of_asked;
    for (size_t i : open) {
        asked.push_back(funcs[i]);
        known_of_asked.push_back(std::move(known[i]));
    }
    std::vector<ConstantExtents> most;
    if (!open.empty()) {
        most = most_extents_in_block(dag_, kernel, tiling, asked, known_of_asked);
    }
    auto answer = std::make_shared<ExtentsOfFuncs>();
    size_t next = 0;  // of those that are open
    for (size_t i = 0; i < funcs.size(); ++i) {
        if (next == open.size() || open[next] != i) {
            answer->add(extents[i] ? Known::constant : Known::no, extents[i]);
            continue;
        }
        ConstantExtents &bounded = most[next++];
        const bool good = bounded && std::count_if(bounded->begin(), bounded->end(),
                                                   [](int64_t e) { return e > 1; }) <= kThreadLoops;
        if (!good) bounded = std::nullopt;
        answer->add(good ? Known::at_run_time : Known::no, bounded);
    }
    return answer;
}

}  // namespace autoschedule_gpu
