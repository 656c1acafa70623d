#include "scheduler/space/site_extents.h"

#include <algorithm>

#include "core/support/hash.h"
#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {

namespace {

// Answers; each takes about 200 bytes.
constexpr size_t kMostRemembered = size_t{1} << 17;

// Whether all loops whose extents are known only at run time are threads: a loop in a thread would
// be unrolled.
bool varying_are_threads(const Dag &dag, FuncId func, const KnownExtents &known,
                         const std::vector<int64_t> &most) {
    const StageId id = dag.func(func).stages[0];
    const std::vector<Loop> &loops = dag.stage(id).loops;
    std::vector<int64_t> trips;
    for (const Loop &loop : loops) trips.push_back(most[loop.dim]);
    const std::vector<int> axes = choose_axes(dag, id, trips);
    for (size_t i = 0; i < loops.size(); ++i) {
        const bool thread = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
        if (!known[loops[i].dim] && trips[i] > 1 && !thread) return false;
    }
    return true;
}

// As bits by dimension.
uint64_t varying(const KnownExtents &known) {
    uint64_t result = 0;
    for (size_t d = 0; d < known.size(); ++d) result |= uint64_t{!known[d]} << d;
    return result;
}

enum Question : uint64_t { kBlockQuestion, kThreadQuestion };

void add_loop(BlockLoop loop, Hasher &hasher) {
    hasher.add(loop.update.index()).add(static_cast<uint64_t>(loop.outside));
}

void add_stages(const Band &band, Hasher &hasher) {
    hasher.add(band.body.size());
    for (const BandPtr &inner : band.body) hasher.add(inner->stage.index());
}

void add_funcs(std::span<const FuncId> funcs, Hasher &hasher) {
    hasher.add(funcs.size());
    for (FuncId func : funcs) hasher.add(func.index());
}

// What a block needs of a Func depends on the Func's consumers alone, which have greater ids: so
// the same is asked again when something else is computed in the kernel later.
class BlockQuestions {
public:
    // The kernel must outlive it.
    BlockQuestions(const Kernel &kernel, const Tiling &tiling, BlockLoop loop) : kernel_(kernel) {
        of_all_.add(kBlockQuestion).add(kernel.stage.index()).add(kernel.aligned);
        for (const LoopTile &tile : tiling) {  // in one word: this is asked for every candidate
            of_all_.add(static_cast<uint64_t>(tile.points()) << 3 | uint64_t{tile.atomic} << 2 |
                        static_cast<uint64_t>(tile.rest));
        }
        if (loop.valid()) add_loop(loop, of_all_);
    }

    uint64_t about(FuncId func) const {
        Hasher hasher = of_all_;
        auto inlined = kernel_.inlined.rbegin();
        auto member = kernel_.members.begin();
        while (true) {
            FuncId consumer = func;  // the next, if there is one
            if (inlined != kernel_.inlined.rend()) consumer = std::max(consumer, *inlined);
            if (member != kernel_.members.end()) consumer = std::max(consumer, member->func);
            if (consumer == func) return hasher.add(func.index()).value();
            hasher.add(consumer.index());
            if (inlined != kernel_.inlined.rend() && *inlined == consumer) ++inlined;
            if (member != kernel_.members.end() && member->func == consumer) ++member;
        }
    }

private:
    const Kernel &kernel_;
    Hasher of_all_;
};

uint64_t thread_question(const Kernel &kernel, const Band &threads, FuncId func) {
    Hasher hasher;
    hasher.add(kThreadQuestion)
        .add(kernel.stage.index())
        .add(kernel.aligned)
        .add(threads.stage.index())
        .add(func.index());
    for (int64_t trips : threads.body.back()->trips) hasher.add(static_cast<uint64_t>(trips));
    // Of loops that threads share, the ends may be in doubt.
    if (threads.stage == kernel.stage) {
        for (const LoopTile &tile : kernel.tiling) hasher.add(tile.threads > 1);
    }
    hasher.add(has_own_loop(threads));
    if (has_own_loop(threads)) add_loop(threads.loop, hasher);
    add_stages(threads, hasher);
    add_funcs(kernel.inlined, hasher);
    return hasher.value();
}

}  // namespace

SiteExtents::SiteExtents(const Dag &dag, bool may_be_at_run_time)
    : dag_(dag),
      may_be_at_run_time_(may_be_at_run_time),
      known_(kMostRemembered),
      alignment_(kMostRemembered) {}

std::vector<SiteExtents::Answer> SiteExtents::in_block(const Kernel &kernel, const Tiling &tiling,
                                                       std::span<const FuncId> funcs,
                                                       BlockLoop loop) {
    const BlockQuestions questions(kernel, tiling, loop);
    std::vector<Answer> answers(funcs.size());
    std::vector<FuncId> open;
    for (size_t i = 0; i < funcs.size(); ++i) {
        answers[i] = known_.find(questions.about(funcs[i])).value_or(nullptr);
        if (!answers[i]) {
            open.push_back(funcs[i]);
        } else if (answers[i]->known == Known::no) {
            return {};
        }
    }
    if (open.empty()) return answers;
    std::vector<SiteExtentsOfFunc> found = compute_in_block(kernel, tiling, open, loop);
    bool all_known = true;
    for (size_t i = 0, next = 0; i < funcs.size(); ++i) {
        if (answers[i]) continue;
        answers[i] = std::make_shared<const SiteExtentsOfFunc>(std::move(found[next++]));
        known_.insert(questions.about(funcs[i]), answers[i]);
        all_known = all_known && answers[i]->known != Known::no;
    }
    if (!all_known) answers.clear();
    return answers;
}

SiteExtents::Answer SiteExtents::in_block(const Kernel &kernel, FuncId func, BlockLoop loop) {
    std::vector<Answer> answers = in_block(kernel, kernel.tiling, {&func, 1}, loop);
    if (answers.empty()) return std::make_shared<const SiteExtentsOfFunc>();
    return std::move(answers.front());
}

std::vector<int64_t> SiteExtents::needed_in_block(const Kernel &kernel, FuncId func,
                                                  BlockLoop loop) {
    return in_block(kernel, func, loop)->points;
}

SiteExtents::Answer SiteExtents::in_thread(const Kernel &kernel, const Band &threads, FuncId func) {
    // Where Halide does not know how far the loops of a stage in the block run, it does not know
    // what one thread of them needs either.
    const FuncId site = dag_.stage(threads.stage).func;
    if (threads.stage != kernel.stage &&
        in_block(kernel, site, loop_around(dag_, kernel, site))->known != Known::constant) {
        return std::make_shared<const SiteExtentsOfFunc>();
    }
    const uint64_t question = thread_question(kernel, threads, func);
    if (const std::optional<Answer> known = known_.find(question)) return *known;
    SiteExtentsOfFunc found;
    if (ConstantExtents extents = extents_in_thread(dag_, kernel, threads, func)) {
        found = {Known::constant, *std::move(extents)};
    }
    Answer answer = std::make_shared<const SiteExtentsOfFunc>(std::move(found));
    known_.insert(question, answer);
    return answer;
}

bool SiteExtents::needs_alignment(const Kernel &kernel, const Member &member) {
    if (!may_need_alignment(dag_, kernel, member.func)) return false;
    const bool in_block = is_in_block(member.place);
    const Band *threads = in_block ? nullptr : find_threads(kernel, member.site);
    const uint64_t question =
        in_block ? BlockQuestions(kernel, kernel.tiling, member.loop).about(member.func)
                 : thread_question(kernel, *threads, member.func);
    if (const std::optional<bool> known = alignment_.find(question)) return *known;
    const bool needed = in_block
                            ? needs_alignment_in_block(dag_, kernel, member.func, member.loop)
                            : needs_alignment_in_thread(dag_, kernel, member.site, member.func);
    alignment_.insert(question, needed);
    return needed;
}

std::vector<SiteExtentsOfFunc> SiteExtents::compute_in_block(const Kernel &kernel,
                                                             const Tiling &tiling,
                                                             std::span<const FuncId> funcs,
                                                             BlockLoop loop) const {
    std::vector<SiteExtentsOfFunc> result(funcs.size());
    std::vector<KnownExtents> known = extents_in_block(dag_, kernel, tiling, funcs, loop);
    // Takes over what is known by now, and returns the places of the others.
    const auto settle = [&](Known how) {
        std::vector<size_t> open;
        for (size_t i = 0; i < funcs.size(); ++i) {
            if (result[i].known != Known::no) continue;
            if (ConstantExtents extents = if_all_known(known[i])) {
                result[i].known = how;
                result[i].points = *std::move(extents);
            } else {
                open.push_back(i);
            }
        }
        return open;
    };
    if (settle(Known::constant).empty() || !may_be_at_run_time_ || loop.valid()) return result;
    for (size_t i = 0; i < funcs.size(); ++i) result[i].varying = varying(known[i]);
    known = with_set_by_parameters(dag_, kernel, tiling, funcs, std::move(known));
    std::vector<size_t> open = settle(Known::at_run_time);
    std::erase_if(open, [&](size_t i) { return dag_.func(funcs[i]).stages.size() > 1; });
    if (open.empty()) return result;
    std::vector<FuncId> open_funcs;
    std::vector<KnownExtents> known_of_open;
    for (const size_t i : open) {
        open_funcs.push_back(funcs[i]);
        known_of_open.push_back(std::move(known[i]));
    }
    std::vector<ConstantExtents> most =
        most_extents_in_block(dag_, kernel, tiling, open_funcs, known_of_open);
    for (size_t i = 0; i < open.size(); ++i) {
        if (!most[i] || !varying_are_threads(dag_, open_funcs[i], known_of_open[i], *most[i])) {
            continue;
        }
        result[open[i]].known = Known::at_run_time;
        result[open[i]].points = *std::move(most[i]);
    }
    return result;
}

}  // namespace autoschedule_gpu
