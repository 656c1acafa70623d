// How much of Funcs a block of a kernel needs, as far as it bears on what may be computed there:
// constant, or bounded and known at run time (nest/regions.h). Many tilings of many kernels ask the
// same, since neither the threads of a tile nor those of other Funcs make a difference; so answers
// are remembered, in bounded memory. That changes no result. May be called from any thread.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "dag/dag.h"
#include "nest/nest.h"
#include "nest/regions.h"
#include "support/recent_map.h"

namespace autoschedule_gpu {

// Of several Funcs, by their place in the question.
class ExtentsOfFuncs {
public:
    void add(const ConstantExtents &extents, bool constant);

    // Points per dimension; nothing where it can't be known.
    std::optional<std::span<const int64_t>> of(size_t place) const;
    // False: known only at run time, these are the most.
    bool constant(size_t place) const { return ranges_[place].constant; }

private:
    struct Range {
        int32_t first, count;  // first < 0: not known
        bool constant;
    };
    std::vector<Range> ranges_;
    std::vector<int64_t> points_;
};

class BlockExtents {
public:
    // `dag` must outlive this object.
    explicit BlockExtents(const Dag &dag);

    // Of `funcs`, if the kernel's root stage were tiled as given.
    std::shared_ptr<const ExtentsOfFuncs> find(const Kernel &kernel, const Tiling &tiling,
                                               std::span<const FuncId> funcs);

private:
    std::shared_ptr<const ExtentsOfFuncs> compute(const Kernel &kernel, const Tiling &tiling,
                                                  std::span<const FuncId> funcs) const;

    struct Shard {
        std::mutex mutex;
        RecentMap<std::shared_ptr<const ExtentsOfFuncs>> known;
        Shard();
    };

    const Dag &dag_;
    std::array<Shard, 16> shards_;
};

}  // namespace autoschedule_gpu
