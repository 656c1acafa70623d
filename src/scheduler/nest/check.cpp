#include "scheduler/nest/check.h"

#include <algorithm>

#include "scheduler/nest/launch.h"
#include "scheduler/nest/padding.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {

namespace {

class Checker {
public:
    Checker(const Dag &dag, const Nest &nest) : dag_(dag), nest_(nest) {}

    std::vector<std::string> run(Completeness completeness) {
        check_places(completeness);
        for (const KernelPtr &kernel : nest_.kernels) check_kernel(*kernel);
        check_rounding();
        check_launches();
        return std::move(problems_);
    }

private:
    void fail(const std::string &who, const std::string &what) {
        problems_.push_back(who + ": " + what);
    }

    void check_places(Completeness completeness) {
        for (size_t i = 0; i < dag_.funcs.size(); ++i) {
            const Func &func = dag_.funcs[i];
            const Place place = nest_.places[i];
            if (place == Place::undecided && completeness == Completeness::complete) {
                fail(func.name, "is not decided");
            }
            if (func.is_input()) continue;
            if (func.must_inline && place != Place::inlined && place != Place::undecided) {
                fail(func.name, "has no bounds and must be inlined");
            }
            if (place == Place::inlined && !func.can_inline) {
                fail(func.name, "is inlined, but has updates or must be stored");
            }
            if (func.is_output() && place != Place::root && place != Place::undecided) {
                fail(func.name, "is an output and must be computed at root");
            }
            if (func.on_host() && is_in_kernel(place)) {
                fail(func.name, "must stay on the host (" + func.host_reason + ")");
            }
            if (func.ours == Func::Ours::loops && place != Place::root &&
                place != Place::undecided) {
                fail(func.name, "is to be at root, as its user has it");
            }
            if (func.users_alignment && is_in_kernel(place)) {
                fail(func.name, "has rows that its user has aligned, and must not be in a kernel");
            }
            check_computed_once(FuncId(i));
            check_consumers(FuncId(i));
        }
    }

    // Every stage of a root Func is a kernel; a fused Func is in one kernel, all stages of it.
    void check_computed_once(FuncId id) {
        const Func &func = dag_.func(id);
        for (StageId stage : func.stages) {
            int roots = 0, bands = 0;
            for (const KernelPtr &kernel : nest_.kernels) {
                roots += kernel->stage == stage;
                bands += kernel->stage != stage && site_of(*kernel, stage) != nullptr;
            }
            const Place place = nest_.place(id);
            if (roots != (place == Place::root) || bands != (is_in_kernel(place))) {
                fail(stage_name(dag_, stage), "is not computed exactly where its Func is placed");
            }
        }
    }

    // A block's values are in shared memory, a thread's in registers, a root stage's in global
    // memory (src/halide/README.md, 'Private memory at block level').
    void check_memory(const Kernel &kernel) {
        for (const Band *threads : thread_bands(kernel)) {
            for (const Band *inner : innermost_bands(*threads)) {
                const MemoryKind expected = inner->stage == kernel.stage ? MemoryKind::global
                                            : inner->stage == threads->stage
                                                ? MemoryKind::shared
                                                : MemoryKind::registers;
                if (inner->memory != expected) {
                    fail(stage_name(dag_, inner->stage), "is stored where its level is not");
                }
            }
        }
    }

    // What the kernel has recorded of its members is what its bands compute.
    void check_members(const Kernel &kernel) {
        size_t found = 0;
        for (const Band *threads : thread_bands(kernel)) {
            for (const Band *inner : innermost_bands(*threads)) {
                const Stage &stage = dag_.stage(inner->stage);
                if (inner->stage == kernel.stage || stage.index > 0) continue;
                ++found;
                const auto member = std::ranges::find(kernel.members, stage.func, &Member::func);
                const bool in_block = inner->stage == threads->stage;
                if (member == kernel.members.end() || is_in_block(member->place) != in_block ||
                    member->place != nest_.place(stage.func)) {
                    fail(stage_name(dag_, inner->stage), "is not the member that is recorded");
                }
            }
        }
        if (found != kernel.members.size()) {
            fail(stage_name(dag_, kernel.stage), "has members recorded that it does not compute");
        }
    }

    // The thread band in whose subtree (or as which) a stage is executed.
    static const Band *site_of(const Kernel &kernel, StageId stage) {
        for (const Band *threads : thread_bands(kernel)) {
            if (threads->stage == stage) return threads;
            for (const Band *inner : innermost_bands(*threads)) {
                if (inner->stage == stage) return threads;
            }
        }
        return nullptr;
    }

    // A fused Func encloses all its uses: they are in the same kernel, and, for a Func computed per
    // thread, in the same thread band. Uses are looked for through inlined Funcs.
    void check_consumers(FuncId id) {
        if (!is_in_kernel(nest_.place(id))) return;
        const auto home =
            std::find_if(nest_.kernels.begin(), nest_.kernels.end(), [&](const KernelPtr &kernel) {
                return site_of(*kernel, dag_.func(id).stages[0]) != nullptr;
            });
        if (home == nest_.kernels.end()) return;
        const Band *site = site_of(**home, dag_.func(id).stages[0]);
        const bool per_thread = site->stage != dag_.func(id).stages[0];
        for (StageId consumer : consumer_stages(id)) {
            const Band *use = site_of(**home, consumer);
            if (use == nullptr && (*home)->stage != consumer) {
                fail(dag_.func(id).name, "is used outside the kernel that it is computed in");
            } else if (per_thread && use != site) {
                fail(dag_.func(id).name, "is computed per thread but used in other threads");
            } else if (site->loop.valid() && use->loop != site->loop) {
                fail(dag_.func(id).name, "is computed in a loop but used outside");
            } else if (position(**home, consumer) < position(**home, dag_.func(id).stages.back())) {
                fail(dag_.func(id).name, "is computed after it is used");
            }
        }
        // compute_at names a loop.
        if (per_thread && site->axes.empty()) {
            fail(dag_.func(id).name, "is computed per thread, but there is no thread loop");
        } else if (per_thread && uses_atomics(dag_, **home, *site)) {
            fail(dag_.func(id).name, "is computed per thread of a reduction that threads share");
        }
    }

    bool has_loop_set_by_parameters(const Kernel &kernel) const {
        if (!kernel.blocks) return false;
        return std::ranges::any_of(innermost_bands(*kernel.blocks), [&](const Band *inner) {
            for (size_t i = 0; i < inner->trips.size(); ++i) {
                if (is_set_by_parameters(dag_, *inner, i)) return true;
            }
            return false;
        });
    }

    // How much there may be of what parameters decide is known as far as Funcs at root compute no
    // more than is asked of them (Dimension::widest).
    void check_rounding() {
        const auto relies = [&](const KernelPtr &k) { return has_loop_set_by_parameters(*k); };
        if (std::ranges::none_of(nest_.kernels, relies)) return;
        for (const KernelPtr &kernel : nest_.kernels) {
            const Stage &stage = dag_.stage(kernel->stage);
            for (size_t i = 0; i < stage.loops.size(); ++i) {
                const bool shares = kernel->with.valid() && rounds_up(dag_, *kernel, i);
                if (kernel->on_host || !(shares || is_aligned(dag_, *kernel, i))) continue;
                const auto dim = static_cast<size_t>(stage.loops[i].dim);
                const Dimension &rounded = dag_.func(stage.func).dims[dim];
                if (rounded.constant || !rounded.widest) continue;
                fail("kernel " + stage_name(dag_, kernel->stage),
                     "rounds up loop " + stage.loops[i].name +
                         ", and shared memory is as large as parameters say");
            }
        }
    }

    // Kernels in the launch of another: Halide must be able to compute them together.
    void check_launches() {
        for (const KernelPtr &kernel : nest_.kernels) {
            if (!kernel->with.valid()) continue;
            const std::string who = "kernel " + stage_name(dag_, kernel->stage);
            const auto first = std::ranges::find(
                nest_.kernels, kernel->with, [](const KernelPtr &other) { return other->stage; });
            if (first == nest_.kernels.end() || (*first)->with != kernel->with) {
                fail(who, "is in the launch of a kernel that has none");
            } else if (*first == kernel) {
                if (const auto why = why_alone_in_launch(dag_, *kernel)) fail(who, *why);
            } else if (const auto why = why_not_with(dag_, **first, *kernel)) {
                fail(who, "can't share its launch: " + *why);
            }
        }
        if (const auto why = why_out_of_order(dag_, nest_)) fail("launches", *why);
    }

    // When a stage is executed within its kernel.
    static size_t position(const Kernel &kernel, StageId stage) {
        const std::vector<const Band *> bands = innermost_bands(*kernel.blocks);
        const auto found = std::find_if(bands.begin(), bands.end(),
                                        [&](const Band *band) { return band->stage == stage; });
        return static_cast<size_t>(found - bands.begin());
    }

    // Stages that read a Func, directly or through inlined Funcs.
    std::vector<StageId> consumer_stages(FuncId id) const {
        std::vector<StageId> result;
        std::vector<FuncId> work{id};
        for (size_t next = 0; next < work.size(); ++next) {
            for (EdgeId edge : dag_.consumers[work[next].index()]) {
                const StageId stage = dag_.edge(edge).consumer;
                const FuncId func = dag_.stage(stage).func;
                if (nest_.place(func) != Place::inlined) {
                    result.push_back(stage);
                } else if (std::find(work.begin(), work.end(), func) == work.end()) {
                    work.push_back(func);
                }
            }
        }
        return result;
    }

    void check_kernel(const Kernel &kernel) {
        const std::string who = "kernel " + stage_name(dag_, kernel.stage);
        const Func &func = dag_.func_of(kernel.stage);
        if (func.on_host() != kernel.on_host) fail(who, "is on the wrong side of the device");
        if (kernel.on_host) return;
        if (!kernel.blocks || kernel.blocks->body.empty() ||
            root_threads(kernel)->stage != kernel.stage) {
            fail(who, "must end with the threads of its own stage");
            return;
        }
        check_blocks(who, *kernel.blocks);
        check_padding(who, kernel);
        check_whole_loops(who, kernel);
        check_rows(who, kernel);
        check_spread(who, kernel);
        if (const char *why = why_no_walk(dag_, kernel)) fail(who, why);
        for (const Band *threads : thread_bands(kernel)) check_threads(who, *threads);
        check_loops(who, kernel);
        check_memory(kernel);
        check_members(kernel);
        const std::vector<BandPtr> &own = root_threads(kernel)->body;
        const bool strides = !own.empty() && own.back()->level == Level::strided;
        if (strides != has_whole_rows(kernel.tiling)) {
            fail(who, "has threads that stride without whole rows, or whole rows without");
        }
        const bool spreads = !own.empty() && own.back()->level == Level::spread;
        if (spreads != has_spread_points(kernel.tiling)) {
            fail(who, "has spread points without a tile of them, or such a tile without");
        }
        for (FuncId inlined : kernel.inlined) {
            if (dag_.func(inlined).on_host())
                fail(who, "inlines a Func that must stay on the host");
            if (nest_.place(inlined) != Place::inlined) {
                fail(who, "lists " + dag_.func(inlined).name + " as inlined, which it is not");
            }
            check_inlined_uses(who, kernel, dag_.func(inlined).stages[0]);
        }
        for (const Band *inner : innermost_bands(*kernel.blocks)) {
            check_inlined_uses(who, kernel, inner->stage);
        }
    }

    // What a kernel costs depends on what it evaluates.
    void check_inlined_uses(const std::string &who, const Kernel &kernel, StageId stage) {
        for (EdgeId edge : dag_.stage(stage).edges) {
            const FuncId func = dag_.edge(edge).producer;
            if (nest_.place(func) == Place::inlined && !is_inlined(kernel, func)) {
                fail(who, "evaluates " + dag_.func(func).name + " inline without listing it");
            }
        }
    }

    bool races(const Stage &stage, size_t loop) const {
        return !stage.loops[loop].parallel && stage.atomics == Atomics::no;
    }

    void check_blocks(const std::string &who, const Band &blocks) {
        const Stage &stage = dag_.stage(blocks.stage);
        for (size_t i = 0; i < blocks.trips.size(); ++i) {
            if (blocks.trips[i] > 1 && races(stage, i)) {
                fail(who, "runs loop " + stage.loops[i].name + " in several blocks, which races");
            }
            if (blocks.trips[i] > 1 && !stage.loops[i].parallel && stage.loops[i].may_be_empty) {
                fail(who, "may have no block, since loop " + stage.loops[i].name + " may be empty");
            }
        }
    }

    // Halide rounds a row up to a multiple of what is asked for.
    void check_padding(const std::string &who, const Kernel &kernel) {
        const int64_t widest = widest_shared_element(dag_, kernel);
        for (const Band *threads : thread_bands(kernel)) {
            if (threads->row == 0) continue;
            const std::string stage = who + ", " + stage_name(dag_, threads->stage);
            const Func &func = dag_.func_of(threads->stage);
            if (threads->memory != MemoryKind::shared || dag_.stage(threads->stage).index > 0 ||
                func.dims.empty()) {
                fail(stage, "has rows, but stores none in shared memory");
                continue;
            }
            const std::optional<int64_t> least = stored_row(dag_, kernel, threads->stage);
            if (!least || threads->row < *least) fail(stage, "has rows shorter than it needs");
            if (threads->row % shared_row_alignment(func, widest) != 0) {
                fail(stage, "has rows that are no multiple of the widest element beside it");
            }
        }
    }

    // What threads that go on have of such a loop is one iteration at a time.
    void check_rows(const std::string &who, const Kernel &kernel) {
        if (!has_whole_rows(kernel.tiling)) return;
        const std::vector<Loop> &loops = dag_.stage(kernel.stage).loops;
        bool blocks = false;
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            blocks = blocks || has_blocks(loops[i], kernel.tiling[i]);
            if (has_points_beside_rows(dag_.stage(kernel.stage), kernel.tiling, i)) {
                fail(who, "has several points in a row per thread of a block with whole rows");
            }
        }
        if (!blocks) fail(who, "has whole rows and no loop of blocks");
    }

    // How far points are apart is known of a band as a whole.
    void check_spread(const std::string &who, const Kernel &kernel) {
        if (!has_spread_points(kernel.tiling)) return;
        const std::vector<Loop> &loops = dag_.stage(kernel.stage).loops;
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            const LoopTile &tile = kernel.tiling[i];
            if (!is_split(loops[i], tile) || tile.serial == 1) continue;
            if (tile.rest != Rest::spread || tile.atomic) {
                fail(who, "has points that are spread and others that are not");
            }
        }
    }

    void check_whole_loops(const std::string &who, const Kernel &kernel) {
        const Stage &stage = dag_.stage(kernel.stage);
        if (!stage.predicate_reads) return;
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            if (kernel.tiling[i].block_points() == 1) continue;
            fail(who, "splits loop " + stage.loops[i].name + ", though its condition reads data");
        }
    }

    // Bands of a loop are neighbours; the last is that of the update whose loop it is.
    void check_loops(const std::string &who, const Kernel &kernel) {
        const auto bands = thread_bands(kernel);
        for (size_t i = 0; i < bands.size(); ++i) {
            const BlockLoop loop = bands[i]->loop;
            if (!loop.valid()) continue;
            const std::string stage = who + ", " + stage_name(dag_, bands[i]->stage);
            if (has_own_loop(*bands[i])) {
                check_own_loop(stage, kernel, *bands[i]);
            } else if (i + 1 == bands.size() || bands[i + 1]->loop != loop) {
                fail(stage,
                     "is in the loop of " + stage_name(dag_, loop.update) + ", which ends before");
            } else if (dag_.stage(loop.update).func == dag_.stage(bands[i]->stage).func) {
                fail(stage, "is in the loop of another update of its Func");
            }
        }
    }

    void check_own_loop(const std::string &stage, const Kernel &kernel, const Band &threads) {
        if (threads.stage == kernel.stage) fail(stage, "is at root and has a loop");
        if (!may_have_loop(dag_, threads.loop)) fail(stage, "may have no loop");
        if (threads.axes.empty()) fail(stage, "has a loop, but no threads in it");
        if (threads.body.empty()) return;
        for (size_t i = 0; i < threads.trips.size(); ++i) {
            if (is_outside_threads(dag_, threads, i) && threads.body.back()->trips[i] > 1) {
                fail(stage, "runs a loop outside its threads and inside");
            }
        }
    }

    void check_threads(const std::string &who, const Band &threads) {
        const std::string stage = who + ", " + stage_name(dag_, threads.stage);
        if (threads.level != Level::thread) fail(stage, "is not at thread level");
        if (threads.axes.size() > 3) fail(stage, "has more than three thread dimensions");
        const bool strides = !threads.body.empty() && threads.body.back()->level == Level::strided;
        if (threads.flat && !strides) fail(stage, "has flat threads that do not stride");
        for (size_t i = 0; i < threads.trips.size(); ++i) {
            if (threads.trips[i] < 1) fail(stage, "has an empty loop");
            const bool axis = std::find(threads.axes.begin(), threads.axes.end(),
                                        static_cast<int>(i)) != threads.axes.end();
            if (threads.trips[i] > 1 && !axis) fail(stage, "has threads in a loop without an axis");
            if (axis && races(dag_.stage(threads.stage), i)) {
                fail(stage, "runs loop " + dag_.stage(threads.stage).loops[i].name +
                                " in parallel, which races");
            }
        }
        for (const BandPtr &inner : threads.body) {
            if (inner->level < Level::serial || !inner->body.empty()) {
                fail(stage, "may hold only serial loops");
            }
            if (is_in_rounds(inner->level) && threads.body.size() > 1) {
                fail(stage, "strides over its points, with something computed in its threads");
            }
        }
        if (threads.body.empty() || threads.body.back()->stage != threads.stage) {
            fail(stage, "must end with its own innermost loops");
        }
    }

    const Dag &dag_;
    const Nest &nest_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> check(const Dag &dag, const Nest &nest, Completeness completeness) {
    return Checker(dag, nest).run(completeness);
}

}  // namespace autoschedule_gpu
