// Local Laplacian filter (Paris, Hasinoff & Kautz 2011), made fast by sampling the remapping
// function at a few reference intensities (Aubry et al. 2014). For each of `levels` intensities g
// the image is remapped around g, which amplifies or flattens what differs little from g, and taken
// to a Gaussian pyramid. A coefficient of the result's Laplacian pyramid is that of the two
// remapped pyramids whose g are nearest to the image's own pyramid there, interpolated. Pyramids
// reduce and expand with the five-tap kernel of Burt & Adelson (1983).
//
//   input ─► padded ─┬─► grey ─┬─► image[0..] ─────────────────────────┐ which two g
//                    │         └─► remapped[0..] ─► laplacian[0..] ─► picked[0..] ─► collapsed[0..]
//                    │                                                                    │ [0]
//                    └─────────────────────────────────────────────────► output ◄── gain ◄┘
//
// Each level repeats its own edge when it is reduced. The result is float: a float that is rounded
// to an integer would not be the same on all devices.
#include <Halide.h>

#include <array>
#include <string>
#include <vector>

#include "pyramid.h"

namespace {

using namespace Halide;
using namespace autoschedule_gpu::apps;

class LocalLaplacian : public Generator<LocalLaplacian> {
public:
    GeneratorParam<int> levels{"levels", 8, 2, 16};                  // reference intensities
    GeneratorParam<int> pyramid_levels{"pyramid_levels", 8, 2, 12};  // the finest included
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};            // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};          // in pixels
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    Input<Buffer<uint16_t, 3>> input{"input"};            // x, y, channel
    Input<float> sigma{"sigma", 0.15f, 0.01f, 1.0f};      // below it a difference counts as detail
    Input<float> detail{"detail", 1.0f, -1.0f, 8.0f};     // gain of details; 0 leaves them
    Input<float> contrast{"contrast", 0.8f, 0.0f, 4.0f};  // of all else; 1 leaves it
    Output<Buffer<float, 3>> output{"output"};            // values in 0..1

    void generate() {
        padded_ =
            BoundaryConditions::repeat_edge(input, {{input.dim(0).min(), input.dim(0).extent()},
                                                    {input.dim(1).min(), input.dim(1).extent()},
                                                    {Expr(), Expr()}});
        grey_(x, y) =
            (0.299f * padded_(x, y, 0) + 0.587f * padded_(x, y, 1) + 0.114f * padded_(x, y, 2)) *
            (1.0f / 65535.0f);

        Expr reference = cast<float>(k) / static_cast<float>(levels - 1);
        Expr offset = grey_(x, y) - reference;
        Expr bell = exp(offset * offset * (-0.5f / (sigma * sigma)));
        remapped_at_full_size_(x, y, k) = reference + offset * (contrast + detail * bell);

        build_pyramids();
        collapse_pyramids();

        // The floor keeps black pixels black instead of amplifying their noise.
        gain_(x, y) = collapsed_[0](x, y) / max(grey_(x, y), 1.0f / 255.0f);
        output(x, y, c) = clamp(padded_(x, y, c) * (1.0f / 65535.0f) * gain_(x, y), 0.0f, 1.0f);

        set_estimates_and_layout();
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    using Args = std::vector<Var>;

    void build_pyramids() {
        image_.push_back(ReducedLevel{Func(), grey_});
        remapped_.push_back(ReducedLevel{Func(), remapped_at_full_size_});
        for (int level = 1; level < pyramid_levels; level++) {
            image_.push_back(reduce(image_.back().result, {x, y}, level, "image"));
            remapped_.push_back(reduce(remapped_.back().result, {x, y, k}, level, "remapped"));
        }
    }

    void collapse_pyramids() {
        collapsed_.resize(pyramid_levels);
        const int coarsest = pyramid_levels - 1;
        for (int level = coarsest; level >= 0; level--) {
            Func laplacian = remapped_[level].result;
            if (level < coarsest) {
                laplacian = Func(numbered("laplacian", level));
                laplacian(x, y, k) =
                    remapped_[level].result(x, y, k) -
                    expand(remapped_[level + 1].result, {x, y, k}, level, "remapped")(x, y, k);
            }
            // Clamped, for a remapped pyramid exists only for intensities in 0..1.
            const int intervals = levels - 1;
            Expr position = clamp(image_[level].result(x, y), 0.0f, 1.0f) * cast<float>(intervals);
            Expr below = clamp(cast<int>(position), 0, intervals - 1);
            Func picked(numbered("picked", level));
            picked(x, y) =
                lerp(laplacian(x, y, below), laplacian(x, y, below + 1), position - below);

            Expr value = picked(x, y);
            if (level < coarsest) {
                value += expand(collapsed_[level + 1], {x, y}, level, "collapsed")(x, y);
            }
            collapsed_[level] = Func(numbered("collapsed", level));
            collapsed_[level](x, y) = value;
        }
    }

    // Pixel (x, y) of `level` lies on pixel (2x, 2y) of the level `fine` before it.
    ReducedLevel reduce(Func fine, const Args &args, int level, const std::string &name) {
        return reduce_level(fine, args, level, name, {input.dim(0).extent(), input.dim(1).extent()},
                            [](const auto &at) { return five_taps(at); });
    }

    // The level after `level` at the size of `level`.
    Func expand(Func coarse, const Args &args, int level, const std::string &name) {
        Func along_y(numbered(name + "_expanded_along_y", level));
        Func result(numbered(name + "_expanded", level));
        along_y(args) = between(y, [&](Expr at) { return coarse(moved(args, x, at)); });
        result(args) = between(x, [&](Expr at) { return along_y(moved(args, at, y)); });
        return result;
    }

    template <typename At>
    static Expr five_taps(At at) {
        return (at(-2) + at(2) + 4.0f * (at(-1) + at(1)) + 6.0f * at(0)) * (1.0f / 16.0f);
    }

    // The five taps, of which a position meets three or two, for the others fall between samples.
    template <typename At>
    static Expr between(Expr position, At at) {
        Expr middle = position / 2;
        Expr on_sample = (at(middle - 1) + 6.0f * at(middle) + at(middle + 1)) * 0.125f;
        Expr halfway = (at(middle) + at(middle + 1)) * 0.5f;
        return select(position % 2 == 0, on_sample, halfway);
    }

    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        for (int level = 1; level < pyramid_levels; level++) {
            for (ReducedLevel *pyramid : {&image_[level], &remapped_[level]}) {
                pyramid->result.compute_root().split(y, yo, yi, 8).parallel(yo).vectorize(x, lanes);
                pyramid->along_y.compute_at(pyramid->result, yo).vectorize(x, lanes);
            }
            collapsed_[level].compute_root().parallel(y, 8).vectorize(x, lanes);
        }
        output.reorder(x, c, y)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(y, 8, TailStrategy::GuardWithIf);
        gain_.compute_at(output, y).vectorize(x, lanes);
    }

    // Coarse levels have few tiles: small ones keep more of the device busy.
    static int tile_width(int level) { return level <= 3 ? 32 : 16; }

    // One kernel reduces each level, of the image and all remapped ones, and one collapses it.
    void schedule_by_hand() {
        const int coarsest = pyramid_levels - 1;
        for (int level = 1; level <= coarsest; level++) {
            reduce_remapped_by_hand(level);
            reduce_image_by_hand(level);
        }
        remap_by_hand();
        // The coarsest level is worth no kernel: it is computed where it is read.
        for (int level = 1; level < coarsest; level++) {
            collapsed_[level].compute_root().align_bounds(y, 2);
            two_rows_per_thread(collapsed_[level], tile_width(level));
        }
        output.reorder(c, x, y).unroll(c);
        two_rows_per_thread(output, 64);
        gain_.compute_at(output, yi);
    }

    // A thread computes the columns of its own reference intensity, eight rows at once, so that
    // what is read for one row is kept in registers for the next two. `along_y` is shared by the
    // block's threads; a warp reads and writes neighbours along x.
    void reduce_remapped_by_hand(int level) {
        const int tile = tile_width(level);
        Func result = remapped_[level].result, along_y = remapped_[level].along_y;
        result.compute_root()
            .tile(x, y, xo, yo, xi, yi, tile, 8, TailStrategy::RoundUp)
            .reorder(yi, xi, k, xo, yo)
            .unroll(yi)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, k);
        along_y.compute_at(result, xo)
            .split(x, xs, xt, tile, TailStrategy::GuardWithIf)
            .reorder(y, xs, xt, k)
            .unroll(y)
            .gpu_threads(xt, k);
    }

    // In the kernel of the remapped images of the same level.
    void reduce_image_by_hand(int level) {
        const int tile = tile_width(level);
        Func result = image_[level].result, along_y = image_[level].along_y;
        result.compute_root()
            .tile(x, y, xo, yo, xi, yi, tile, 8, TailStrategy::RoundUp)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi)
            .compute_with(remapped_[level].result, xo);
        along_y.compute_at(result, xo)
            .split(x, xs, xt, tile, TailStrategy::GuardWithIf)
            .reorder(xs, xt, y)
            .gpu_threads(xt, y);
    }

    // The remapped images of full size are never stored: the kernel that reduces them stages a tile
    // of grey values, and each thread remaps a column of it, in registers, for its own intensity.
    void remap_by_hand() {
        Func result = remapped_[1].result, along_y = remapped_[1].along_y;
        Func own = remapped_at_full_size_.clone_in(along_y);
        own.compute_at(along_y, xs).unroll(y);
        grey_.in(own)
            .compute_at(result, xo)
            .split(x, xs, xt, tile_width(1), TailStrategy::GuardWithIf)
            .split(y, ys, yt, 8, TailStrategy::GuardWithIf)
            .reorder(xs, ys, xt, yt)
            .gpu_threads(xt, yt);
    }

    void set_estimates_and_layout() {
        // Origins at 0 tell a scheduler which pixels are even.
        for (int dimension : {0, 1}) {
            input.dim(dimension).set_min(0);
            output.dim(dimension).set_min(0);
        }
        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        sigma.set_estimate(0.15f);
        detail.set_estimate(1.0f);
        contrast.set_estimate(0.8f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, k{"k"}, c{"c"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, xs{"xs"}, xt{"xt"}, ys{"ys"}, yt{"yt"}, yp{"yp"};
    Func padded_{"padded"}, grey_{"grey"}, remapped_at_full_size_{"remapped_0"}, gain_{"gain"};
    // By level, the finest first.
    std::vector<ReducedLevel> image_, remapped_;
    std::vector<Func> collapsed_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LocalLaplacian, local_laplacian)
