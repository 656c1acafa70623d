#include "scheduler/nest/pixel_vectors.h"

#include <algorithm>
#include <utility>

#include "scheduler/nest/regions.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

constexpr int64_t kMostChannels = 4;  // of which Halide joins the stores

bool is_buffer(const Func &func) {
    return func.is_input() || func.is_output();
}

// The pixels of a buffer that is aligned at the estimates, in vectors of so many.
std::optional<PixelBuffer> pixels_of(const Dag &dag, FuncId id, int64_t points) {
    const Func &func = dag.func(id);
    if (!is_buffer(func) || func.values.size() != 1) return std::nullopt;
    if (func.alignment_bytes % kPixelVectorBytes != 0) return std::nullopt;
    PixelBuffer result{.func = id, .channels = std::nullopt};
    const auto beside = std::ranges::find(func.dims, 1, &Dimension::stride);
    if (beside == func.dims.end()) return std::nullopt;
    const auto is_step = [](const Dimension &dim) {
        return dim.stride > 1 && dim.stride <= kMostChannels;
    };
    const auto apart = std::ranges::find_if(func.dims, is_step);
    result.pixels = static_cast<size_t>(beside - func.dims.begin());
    if (apart != func.dims.end() && apart->stride == beside->estimate.extent()) {
        result.channels = std::exchange(result.pixels, apart - func.dims.begin());
        result.step = apart->stride;
    }
    for (size_t d = 0; d < func.dims.size(); ++d) {
        const bool is_of_vector = d == result.pixels || d == result.channels;
        const Dimension &dim = func.dims[d];
        if (is_of_vector ? dim.estimate.min != 0 : dim.stride % points != 0) return std::nullopt;
    }
    return result;
}

// The loop of the stage over a dimension, if a thread has all of it, or `points` of it, written
// out.
std::optional<size_t> whole_loop(const Dag &dag, const Band &innermost, size_t dim,
                                 int64_t points) {
    const std::vector<Loop> &loops = dag.stage(innermost.stage).loops;
    const auto loop = std::ranges::find(loops, static_cast<int>(dim), &Loop::dim);
    if (loop == loops.end()) return std::nullopt;
    const auto i = static_cast<size_t>(loop - loops.begin());
    const bool has_all = innermost.trips[i] == points && UnrolledLoops(dag, innermost).is_whole(i);
    return has_all ? std::optional(i) : std::nullopt;
}

// What a kernel that computes nothing beside its own Func reads at one point in the middle, and at
// points far from that along one of its loops. What moves by that distance follows the loop, behind
// no boundary condition; what is clamped neither does nor stays.
class Follower {
public:
    Follower(const Dag &dag, const Kernel &kernel)
        : dag_(dag),
          kernel_(kernel),
          consumers_first_(kernel.inlined.rbegin(), kernel.inlined.rend()) {
        read(std::nullopt, near_);
    }

    const RegionSet &at_one_point() const { return near_; }

    // How a Func that is read moves along the loop.
    class Along {
    public:
        Along(const RegionSet &near, const RegionSet &far) : near_(near), far_(far) {}

        // Whether all that is read stays or moves by what the loop does.
        bool is_plain(FuncId func) const {
            if (!near_.touched(func)) return false;
            for (size_t d = 0; d < near_.box(func).size(); ++d) {
                if (!stays(func, d) && !follows(func, d)) return false;
            }
            return true;
        }
        bool follows(FuncId func, size_t dim) const { return is_moved(func, dim, kFarAway); }
        bool stays(FuncId func, size_t dim) const { return is_moved(func, dim, 0); }

    private:
        bool is_moved(FuncId func, size_t dim, int64_t by) const {
            const Interval here = near_.box(func)[dim], there = far_.box(func)[dim];
            return there.min == here.min + by && there.max == here.max + by;
        }

        const RegionSet &near_, &far_;
    };

    Along along(size_t loop, RegionSet &scratch) const {
        read(loop, scratch);
        return {near_, scratch};
    }

private:
    static constexpr int64_t kFarAway = -(int64_t{1} << 20);

    void read(std::optional<size_t> far, RegionSet &regions) const {
        const Stage &stage = dag_.stage(kernel_.stage);
        std::vector<Interval> ranges;
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            const Interval &all = estimated_range(dag_, stage, stage.loops[i]);
            int64_t middle = all.min + all.extent() / 2;
            if (all.extent() > kPixelVectorBytes) middle -= middle % kPixelVectorBytes;
            ranges.push_back(Interval::from_extent(middle + (i == far ? kFarAway : 0), 1));
        }
        propagate(dag_, kernel_.stage, ranges, consumers_first_, regions);
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const std::vector<FuncId> consumers_first_;
    RegionSet near_{dag_};
};

// What the kernel evaluates: its own stage and those that are inlined.
std::vector<StageId> evaluated(const Dag &dag, const Kernel &kernel) {
    std::vector<StageId> stages = {kernel.stage};
    for (const FuncId func : kernel.inlined) stages.push_back(dag.func(func).stages[0]);
    return stages;
}

// Whether it computes nothing from what it loads, not even another type of it.
bool is_mere_copy(const Dag &dag, const Kernel &kernel) {
    const std::vector<ScalarType> &type = dag.func_of(kernel.stage).values;
    return std::ranges::all_of(evaluated(dag, kernel), [&](StageId id) {
        const Stage &stage = dag.stage(id);
        return stage.ops.total() == 0 && stage.loads.size() == 1 &&
               dag.func_of(id).values == type && dag.func(stage.loads[0].producer).values == type;
    });
}

// Whether all indices are known that the kernel's evaluations have, be they of what is inlined, and
// none of them repeats.
bool knows_all_indices(const Dag &dag, const Kernel &kernel) {
    return std::ranges::all_of(evaluated(dag, kernel), [&](StageId id) {
        const Stage &stage = dag.stage(id);
        return stage.period == 1 && std::ranges::all_of(stage.loads, [](const Load &load) {
                   return load.access.is_known();
               });
    });
}

// Whether lanes have what is loaded in the order in which it lies in memory, or all the same.
bool is_in_order(const Dag &dag, FuncId producer, const Follower::Along &along) {
    if (!along.is_plain(producer)) return false;
    const std::vector<Dimension> &dims = dag.func(producer).dims;
    for (size_t d = 0; d < dims.size(); ++d) {
        if (along.follows(producer, d) && dims[d].stride != 1) return false;
    }
    return true;
}

// Whether it stores, loads or computes bytes.
bool has_bytes(const Dag &dag, const Kernel &kernel) {
    const auto is_byte = [](const ScalarType &type) { return type.bytes() == 1; };
    return std::ranges::any_of(evaluated(dag, kernel), [&](StageId id) {
        return std::ranges::any_of(dag.func_of(id).values, is_byte) ||
               std::ranges::any_of(dag.stage(id).loads,
                                   [](const Load &load) { return load.bytes_per_site == 1; });
    });
}

// Whether compilers can be given the shuffles that come of it. An LLVM that is asked what it knows
// of the bits of four shuffled bytes ends the process, which whatever is computed of bytes may lead
// to; Halide's OpenCL C has no shuffles of as many elements as are loaded of pixels
// (src/halide/README.md, 'Vectors of bytes').
bool may_be_shuffled(const Dag &dag, const Kernel &kernel, const Follower::Along &along) {
    const auto loads_are = [&](const auto &is_fine) {
        return std::ranges::all_of(evaluated(dag, kernel), [&](StageId id) {
            return std::ranges::all_of(dag.stage(id).loads, [&](const Load &load) {
                return is_inlined(kernel, load.producer) || is_fine(load.producer);
            });
        });
    };
    if (!dag.wide_vectors) {
        return knows_all_indices(dag, kernel) &&
               loads_are([&](FuncId func) { return is_in_order(dag, func, along); });
    }
    if (!has_bytes(dag, kernel)) return true;
    return is_mere_copy(dag, kernel) && knows_all_indices(dag, kernel) &&
           loads_are([&](FuncId func) { return along.is_plain(func); });
}

// The buffers that are loaded by vectors along the pixels, whose channels lie as they do.
class Reads {
public:
    Reads(const Dag &dag, const Kernel &kernel, const Band &innermost, const Follower &follower)
        : dag_(dag), kernel_(kernel), innermost_(innermost), follower_(follower) {}

    void add_to(PixelVectors &vectors) const {
        RegionSet scratch(dag_);
        const Follower::Along along = follower_.along(vectors.loop, scratch);
        std::vector<FuncId> funcs = follower_.at_one_point().funcs();
        std::ranges::sort(funcs);
        for (const FuncId func : funcs) {
            const auto pixels =
                dag_.func(func).is_input() ? pixels_of(dag_, func, vectors.points) : std::nullopt;
            if (!pixels || !along.follows(func, pixels->pixels) || !along.is_plain(func)) continue;
            const Interval at = follower_.at_one_point().box(func)[pixels->pixels];
            if (at.extent() != 1 || at.min % vectors.points != 0) continue;
            if (!pixels->channels || reads_all_channels(*pixels, vectors)) {
                vectors.buffers.push_back(*pixels);
            }
        }
    }

private:
    // A thread reads all of them at each point, or has a loop over them.
    bool reads_all_channels(const PixelBuffer &pixels, PixelVectors &vectors) const {
        const int64_t at_a_point =
            follower_.at_one_point().box(pixels.func)[*pixels.channels].extent();
        if (at_a_point == pixels.step) return true;
        const std::vector<Loop> &loops = dag_.stage(kernel_.stage).loops;
        for (size_t i = 0; i < loops.size(); ++i) {
            if (i == vectors.loop || loops[i].dim < 0) continue;
            const auto dim = static_cast<size_t>(loops[i].dim);
            if (!whole_loop(dag_, innermost_, dim, pixels.step)) continue;
            RegionSet scratch(dag_);
            if (!follower_.along(i, scratch).follows(pixels.func, *pixels.channels)) continue;
            vectors.channels.push_back(i);
            return true;
        }
        return false;
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const Band &innermost_;
    const Follower &follower_;
};

bool is_interleaved(const PixelBuffer &buffer) {
    return buffer.channels.has_value();
}

// Whether the target's language has a type for what Halide makes of them.
bool has_type(const Dag &dag, const PixelVectors &vectors) {
    if (dag.wide_vectors) return true;
    return std::ranges::all_of(vectors.buffers, [&](const PixelBuffer &buffer) {
        const int64_t lanes = buffer.step * vectors.points;
        return (lanes & (lanes - 1)) == 0 && lanes <= dag.most_vector_lanes;
    });
}

// A thread's points of the kernel's own Func are vectors along its pixels, whatever is read.
std::optional<PixelVectors> stored_pixels(const Dag &dag, const Kernel &kernel,
                                          const Band &innermost) {
    const FuncId own = dag.stage(kernel.stage).func;
    const Func &func = dag.func(own);
    if (!func.is_output() || func.stages.size() != 1 || !func.user_directives.empty() ||
        func.values.size() != 1) {
        return std::nullopt;
    }
    for (int64_t points = kPixelVectorBytes / func.values[0].bytes(); points > 1; points /= 2) {
        const auto pixels = pixels_of(dag, own, points);
        if (!pixels) continue;
        const auto loop = whole_loop(dag, innermost, pixels->pixels, points);
        if (!loop) continue;
        PixelVectors result{.loop = *loop, .points = points, .channels = {}, .buffers = {*pixels}};
        if (!pixels->channels) return result;
        const auto channels = whole_loop(dag, innermost, *pixels->channels, pixels->step);
        if (!channels || !func.dims[*pixels->channels].constant) return std::nullopt;
        result.channels = {*channels};
        return result;
    }
    return std::nullopt;
}

std::optional<PixelVectors> possible_pixel_vectors(const Dag &dag, const Kernel &kernel) {
    // Every kernel whose cost is asked for comes here, and most leave at once.
    const Func &func = dag.func_of(kernel.stage);
    if (kernel.on_host || func.alignment_bytes < kPixelVectorBytes) return std::nullopt;
    if (kernel.aligned || kernel.with.valid() || !is_alone(kernel) || is_guarded(dag, kernel)) {
        return std::nullopt;
    }
    const Band &innermost = *find_innermost(kernel, kernel.stage);
    if (innermost.level != Level::serial || vector_loop(dag, kernel, kernel.stage)) {
        return std::nullopt;
    }
    std::optional<PixelVectors> vectors = stored_pixels(dag, kernel, innermost);
    if (!vectors) return std::nullopt;
    const Follower follower(dag, kernel);
    RegionSet scratch(dag);
    if (!may_be_shuffled(dag, kernel, follower.along(vectors->loop, scratch))) return std::nullopt;
    Reads(dag, kernel, innermost, follower).add_to(*vectors);
    std::ranges::sort(vectors->channels);
    const auto repeated = std::ranges::unique(vectors->channels);
    vectors->channels.erase(repeated.begin(), repeated.end());
    const bool any = std::ranges::any_of(vectors->buffers, is_interleaved);
    return any && has_type(dag, *vectors) ? std::move(vectors) : std::nullopt;
}

}  // namespace

int64_t pixels_per_load(int64_t points, int64_t element_bytes) {
    if (points == kVectorElements && element_bytes == kVectorElementBytes) return points;
    return std::clamp<int64_t>(kPixelVectorBytes / element_bytes, 1, points);
}

std::optional<PixelVectors> pixel_vectors(const Dag &dag, const Kernel &kernel) {
    return kernel.pixel_vectors ? possible_pixel_vectors(dag, kernel) : std::nullopt;
}

bool may_have_pixel_vectors(const Dag &dag, const Kernel &kernel) {
    return possible_pixel_vectors(dag, kernel).has_value();
}

}  // namespace autoschedule_gpu
