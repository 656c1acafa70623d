// How much of Funcs a block or a thread of a kernel needs, as far as it bears on what may be
// computed there (nest/regions.h). Many tilings of many kernels ask the same, since only the points
// of a tile make a difference, and what is computed on the way; so answers are remembered, in
// bounded memory. That changes no result. May be called from any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dag/dag.h"
#include "nest/nest.h"
#include "nest/regions.h"
#include "support/shared_memo.h"

namespace autoschedule_gpu {

// Of several Funcs, by their place in the question.
class ExtentsOfFuncs {
public:
    // Known to Halide when it compiles, or only at run time, and then the most there may be.
    enum class Known : uint8_t { no, at_run_time, constant };

    void add(Known known, const ConstantExtents &extents);

    Known known(size_t place) const { return ranges_[place].known; }
    // Points per dimension; nothing where they can't be known.
    std::optional<std::span<const int64_t>> of(size_t place) const;

private:
    struct Range {
        uint32_t first, count;
        Known known;
    };
    std::vector<Range> ranges_;
    std::vector<int64_t> points_;
};

class SiteExtents {
public:
    using Answer = std::shared_ptr<const ExtentsOfFuncs>;

    // `dag` must outlive this object.
    explicit SiteExtents(const Dag &dag);

    // What a block needs of `funcs`, if the kernel's root stage were tiled as given.
    Answer in_block(const Kernel &kernel, const Tiling &tiling, std::span<const FuncId> funcs);

    // What a thread of that band needs of `func`: constant, or not known.
    Answer in_thread(const Kernel &kernel, const Band &threads, FuncId func);

private:
    Answer compute_in_block(const Kernel &kernel, const Tiling &tiling,
                            std::span<const FuncId> funcs) const;

    const Dag &dag_;
    SharedMemo<Answer> known_;
};

}  // namespace autoschedule_gpu
