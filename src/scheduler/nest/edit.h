// Pure edits of kernels: each returns a new kernel that shares every untouched band. They state
// what is asked for; whether it is legal and sensible is for nest/check and space to say.
#pragma once

#include <memory>
#include <span>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// A kernel for `stage` with the given tiling (one LoopTile per loop). `axes`: see choose_root_axes.
KernelPtr make_kernel(const Dag &dag, StageId stage, Tiling tiling);

// A kernel that Halide runs on the host.
KernelPtr make_host_kernel(const Dag &dag, StageId stage);

// `func` is evaluated where it is used.
KernelPtr inline_func(const KernelPtr &kernel, FuncId func);

// The kernel without the evaluation of `func` where it is used, if there is any: it is about to be
// computed in the block or a thread. The hash is that of the kernel before.
Kernel without_inlined(const Kernel &kernel, FuncId func);

// All stages of `func` at the front of the block, over a region of `extents` points per dimension;
// `serial[d]` points of dimension d per thread. `loop`: that of one of the Func's own updates,
// which then runs it outside its threads; or that of a Func in the block, at the front of whose
// loop this one is computed.
KernelPtr compute_in_block(const Dag &dag, const KernelPtr &kernel, FuncId func,
                           const std::vector<int64_t> &extents, const std::vector<int64_t> &serial,
                           BlockLoop loop = {});

// The thread band of a stage computed in the block, split otherwise: trips of its threads and of
// its innermost loops. For an update, whose split need not be that of the pure definition.
KernelPtr resplit_in_block(const Dag &dag, const KernelPtr &kernel, StageId stage,
                           std::vector<int64_t> threads, std::vector<int64_t> serial);

// The loops of a stage of the kernel unrolled so far; of `unroll`s that make no difference, the
// greatest. A stage that is split otherwise afterwards has it no more.
KernelPtr unroll_stage(const Dag &dag, const KernelPtr &kernel, StageId stage, Unroll unroll);

// A stage of the kernel with the greatest of the possible_steps that is not beyond `steps`. What is
// split or unrolled otherwise afterwards has one step.
KernelPtr step_stage(const Dag &dag, const KernelPtr &kernel, StageId stage, int64_t steps);

// The kernel with rows of so many elements (Band::row) of the Func in the block of which `stage` is
// the first; 0: as many as it needs.
KernelPtr store_rows(const KernelPtr &kernel, StageId stage, int64_t row);

// The kernel with one of kKernelOptions as given. Where threads may not be exchanged
// (thread_order.h), `along_stores` stays as it is.
KernelPtr switched(const KernelPtr &kernel, bool Kernel::*member, bool value);

// The kernel in the launch of another, by its stage (Kernel::with).
KernelPtr computed_with(const KernelPtr &kernel, StageId with);

// All stages of `func` at the front of the body of the thread band of stage `site`.
KernelPtr compute_in_thread(const Dag &dag, const KernelPtr &kernel, StageId site, FuncId func,
                            const std::vector<int64_t> &extents);

// Several edits of one kernel, which is hashed only when they are done. `kernel()` may be read at
// any time; its hash is not yet that of what it holds.
class KernelDraft {
public:
    KernelDraft(const Dag &dag, StageId stage, Tiling tiling);  // as make_kernel
    explicit KernelDraft(const Kernel &kernel);                 // not of the host

    // Makes room for so many members, which spares allocations.
    void reserve(size_t members);
    void inline_func(FuncId func);
    void inline_funcs(std::span<const FuncId> funcs);
    // Thread x and thread y of the kernel's own stage change places (Kernel::along_stores), of
    // which it has both.
    void exchange_threads();
    // Its tiles begin at multiples of their size (Kernel::aligned). To be said before something is
    // computed that needs it (scheduler/nest/regions.h); the functions above find out themselves.
    void align() { kernel_.aligned = true; }
    // `tile`: how it was chosen.
    void compute_in_block(const Dag &dag, FuncId func, std::span<const int64_t> extents,
                          std::span<const int64_t> serial, BlockLoop loop = {},
                          MemberTile tile = MemberTile::given);
    void compute_in_thread(const Dag &dag, StageId site, FuncId func,
                           std::span<const int64_t> extents);
    void resplit_in_block(const Dag &dag, StageId stage, std::vector<int64_t> threads,
                          std::vector<int64_t> serial);
    // The only stage of `func` at the front of the block, or of a loop in it, dealt to its threads
    // in rounds. Trips per loop; `axes`: loops that are thread x, y, z, or (`flat`) all of them
    // together.
    void cooperate_in_block(const Dag &dag, FuncId func, std::vector<int64_t> threads,
                            std::vector<int64_t> trips, std::vector<int> axes, BlockLoop loop = {},
                            bool flat = false);

    void unroll_stage(const Dag &dag, StageId stage, Unroll unroll);
    void step_stage(const Dag &dag, StageId stage, int64_t steps);
    void store_rows(StageId stage, int64_t row);

    // In the place of what that kind has chosen for the stage before.
    void set(StageSetting setting);

    const Kernel &kernel() const { return kernel_; }
    KernelPtr finish() &&;

private:
    std::vector<BandPtr>::iterator front_of(BlockLoop loop);
    void add_member(const Member &member);
    void forget_rows();
    template <typename Edit>
    void change_innermost(StageId stage, Edit edit);

    Kernel kernel_;
    std::shared_ptr<Band> blocks_;  // kernel_.blocks, which nobody else has
};

// Loops for thread x, y, z: thread x is the first loop (in storage order) of at least 16
// iterations, or the first one if none has (Anderson 2021 §4.2); then the others that have more
// than one iteration. At most three. A reduction loop that is split by atomics has the place of the
// access that moves least along it.
std::vector<int> choose_axes(const Dag &dag, StageId stage, const std::vector<int64_t> &trips);

// The first three loops of more than one iteration, as they lie in memory: of flat threads.
std::vector<int> flat_axes(const Dag &dag, StageId stage, const std::vector<int64_t> &trips);

// The same as choose_axes for a stage at root. Shorter loops stay before the wide one where each
// goes on in memory where the one before it ends (the channels of interleaved pixels, rows of a
// narrow grid): the threads of a warp then access one run of elements.
std::vector<int> choose_root_axes(const Dag &dag, StageId stage, const std::vector<int64_t> &trips);

}  // namespace autoschedule_gpu
