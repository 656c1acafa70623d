// Which part of each Func a kernel touches: per thread, per block and over the whole grid, by
// evaluating region programs from consumers to producers; and which extents are compile-time
// constants, by the same walk on symbolic bounds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Boxes by FuncId, over flat storage that is reused from call to call. Not thread-safe: one per
// thread.
class RegionSet {
public:
    explicit RegionSet(const Dag &dag);

    void clear();
    bool touched(FuncId id) const { return touched_[id.index()] != 0; }
    std::span<Interval> box(FuncId id);
    std::span<const Interval> box(FuncId id) const;
    // The smallest box that contains the present one and `box`.
    void include(FuncId id, std::span<const Interval> box);
    // Funcs touched since the last clear, in the order they were touched.
    const std::vector<FuncId> &funcs() const { return funcs_; }
    double points(FuncId id) const;

    // Room for one call of `propagate`, kept here so that walks allocate nothing.
    std::vector<Interval> ranges_scratch, box_scratch;

private:
    std::vector<uint32_t> first_;
    std::vector<Interval> boxes_;
    std::vector<uint8_t> touched_;
    std::vector<FuncId> funcs_;
};

// Ranges of a stage's loops when its Func's region `box` is computed: pure loops run over the box,
// reduction loops over their domain.
void stage_ranges(const Dag &dag, StageId stage, std::span<const Interval> box,
                  std::vector<Interval> &ranges);

// Adds to `regions` what `stage` reads when its loops run over `ranges`, and what the Funcs of
// `members` (descending, so consumers first) read to compute the boxes that this asks of them.
void propagate(const Dag &dag, StageId stage, std::span<const Interval> ranges,
               std::span<const FuncId> members, RegionSet &regions);

// Funcs computed inside `band` at any depth below its own stage, with the kernel's inlined Funcs,
// descending: the `members` of a walk that starts at the band's stage.
std::vector<FuncId> members_below(const Dag &dag, const Kernel &kernel, const Band &band);

// The same of a walk that starts at an update that has that loop: Funcs computed in the loop.
std::vector<FuncId> members_in_loop(const Dag &dag, const Kernel &kernel, BlockLoop loop);

// The iteration of a reduction loop outside the threads that stands for all: a quarter of the way
// through. In the middle of a symmetric window lies the one point at which what moves along
// coincides with what does not.
Interval typical_iteration(const Loop &loop);

// Ranges of the loops of an update in that iteration of its loop outside, when its Func's region
// `box` is computed.
void iteration_ranges(const Dag &dag, BlockLoop loop, std::span<const Interval> box,
                      std::vector<Interval> &ranges);

// Per dimension the extent of a Func's region at one compute site, where it is the same for every
// block or thread and Halide can know it; nullopt if any dimension has none.
using ConstantExtents = std::optional<std::vector<int64_t>>;

// The same, where only some dimensions may have one.
using KnownExtents = std::vector<std::optional<int64_t>>;
// nullopt, too, where nothing is needed, for a condition never holds: nothing is computed there.
ConstantExtents if_all_known(const KnownExtents &extents);

// Extents of the regions that a block of the kernel needs of `funcs`, if its root stage is tiled as
// given: what is computed in the kernel, or may come to be. Nothing is known of scatters whose
// range is no constant. With a loop of the kernel: what one iteration of it needs.
std::vector<KnownExtents> extents_in_block(const Dag &dag, const Kernel &kernel,
                                           const Tiling &tiling, std::span<const FuncId> funcs,
                                           BlockLoop loop = {});

// Of one Func, as the kernel is tiled.
ConstantExtents extents_in_block(const Dag &dag, const Kernel &kernel, FuncId func,
                                 BlockLoop loop = {});

// Whether that is known only of tiles that begin at multiples of their size: what is computed in
// blocks of 32 rows and read at y / 32 is one block of a tile of 32 rows then, and else may be two.
// `loop` as KernelDraft::compute_in_block is given it; in the threads of stage `site`, never so but
// for the kernel's own stage.
bool needs_alignment_in_block(const Dag &dag, const Kernel &kernel, FuncId func, BlockLoop loop);
bool needs_alignment_in_thread(const Dag &dag, const Kernel &kernel, StageId site, FuncId func);
// The same of any place in the kernel: no, at first sight.
bool may_need_alignment(const Dag &dag, const Kernel &kernel, FuncId func);

// Of the extents in aligned tiles, those that Halide does not see behind the guards of the last
// ones and is to be promised, for any size of an image.
KnownExtents hidden_in_block(const Dag &dag, const Kernel &kernel, FuncId func, BlockLoop loop);
KnownExtents hidden_in_thread(const Dag &dag, const Kernel &kernel, FuncId func);

// What a thread of the kernel's own stage needs at most of a Func that is computed in it, along the
// dimensions where guards may cut that short: none but where the kernel's Func has several stages.
KnownExtents cut_in_thread(const Dag &dag, const Kernel &kernel, FuncId func);

// Whether they cut short what such a thread needs of any Func in it.
bool cuts_in_threads(const Dag &dag, const Kernel &kernel);

// The same with those dimensions of which any block needs all that is computed at root, where
// parameters decide how much that is (Dimension::is_set_by_parameters): the extents at the
// estimates. Halide knows them only at run time.
std::vector<KnownExtents> with_set_by_parameters(const Dag &dag, const Kernel &kernel,
                                                 const Tiling &tiling,
                                                 std::span<const FuncId> funcs,
                                                 std::vector<KnownExtents> known);

// The most that any block needs, where Halide will know it only at run time (a level of a pyramid
// that is read at x / 2): shared memory may be of such a size, registers may not. `known` is what
// extents_in_block says of `funcs`. nullopt where the extents depend on where the block is, be it
// beyond the estimated end, or where nothing is needed.
std::vector<ConstantExtents> most_extents_in_block(const Dag &dag, const Kernel &kernel,
                                                   const Tiling &tiling,
                                                   std::span<const FuncId> funcs,
                                                   std::span<const KnownExtents> known);

// Extents in a block of the kernel that Halide finds only at run time: none; those that parameters
// decide alone (Dimension::is_set_by_parameters); or others as well. What is in a loop has none.
enum class RuntimeExtents : uint8_t { none, set_by_parameters, any };
RuntimeExtents runtime_extents(const Dag &dag, const Kernel &kernel);

// Extents that the innermost bands below `threads` need of `func`, per thread; those of a whole
// tile, where guards may cut it short (cut_in_thread). None in a stage whose own extents in the
// block are known only at run time.
ConstantExtents extents_in_thread(const Dag &dag, const Kernel &kernel, const Band &threads,
                                  FuncId func);

// Whether guards cut off tiles at the ends of the loops of the kernel's own stage, at the
// estimates.
bool has_cut_tiles(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
