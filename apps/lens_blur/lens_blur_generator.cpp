// The shallow depth of field of a wide aperture, from a stereo pair.
//
// Depth: for each of `slices` disparities the absolute difference of the images makes a slice of a
// cost volume. It is averaged across scales (after Zhang et al. 2014, "Cross-scale cost
// aggregation"): pyramids of confidence times cost and of confidence are built, and collapsed with
// each coarser level counting `coarse_share` of the finer one; their quotient is a mean over
// scales in which places without texture follow their surroundings. Confidence is the variance of
// a pixel's costs. The disparity is their soft minimum (Kendall et al. 2017).
//
// Aperture: scatter as gather (Potmesil & Chakravarty 1981 as a gather). Each pixel looks at
// `samples` pixels of the largest disc around it, and takes those whose own disc of confusion
// reaches it, thinned by its area. What lies behind spreads no further than the pixel itself does.
// The positions are a spiral that is turned from pixel to pixel, alike in every 4x4 square.
//
//   left ──┬─► difference(z) ─┬─► spread ─► confidence ─► weight[0..] ───► merged_weight[0..] ─┐
//   right ─┘                  └───────────────────┴─────► volume[0..](z) ─► merged[0..](z) ────┤
//                                                                                              ▼
//   left ─► gathered ─► output         disparity ◄─ soft ◄─ lowest ◄─ smoothed(z) ◄────────────┘
//              ▲                           │
//              └───────────────────────────┘
//
// Differences and variances are integers, so confidence is the same on all devices; all else is
// continuous in its inputs.
#include <Halide.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "pyramid.h"

namespace {

using namespace Halide;
using namespace autoschedule_gpu::apps;

class LensBlur : public Generator<LensBlur> {
public:
    GeneratorParam<int> slices{"slices", 32, 2, 64};                 // disparities 0..slices-1
    GeneratorParam<int> pyramid_levels{"pyramid_levels", 7, 2, 12};  // the finest included
    GeneratorParam<int> radius{"radius", 16, 1, 64};         // of the largest disc of confusion
    GeneratorParam<int> samples{"samples", 32, 1, 256};      // in that disc
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint8_t, 3>> left{"left"};  // x, y, channel
    // Its pixel (x - d, y) shows what the left one shows at (x, y), where d is the disparity.
    Input<Buffer<uint8_t, 3>> right{"right"};
    Input<float> focus{"focus", 20.0f};                    // the disparity that stays sharp
    Input<float> aperture{"aperture", 0.75f, 0.0f, 8.0f};  // pixels of radius per unit of disparity
    Input<float> coarse_share{"coarse_share", 0.5f, 0.0f, 4.0f};
    Output<Buffer<float, 3>> output{"output"};  // the left image, values in 0..1

    void generate() {
        left_ = with_repeated_edges(left);
        right_ = with_repeated_edges(right);
        measure_costs();
        build_pyramids();
        collapse_pyramids();
        find_disparity();
        open_aperture();
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

    static constexpr int kLargestCost = 128;
    static constexpr int kPatternSide = 4;

    static Func with_repeated_edges(Input<Buffer<uint8_t, 3>> &image) {
        return BoundaryConditions::repeat_edge(image, {{image.dim(0).min(), image.dim(0).extent()},
                                                       {image.dim(1).min(), image.dim(1).extent()},
                                                       {Expr(), Expr()}});
    }

    void measure_costs() {
        Expr total = cast<uint16_t>(0);
        for (int channel = 0; channel < 3; channel++) {
            total += cast<uint16_t>(absd(left_(x, y, channel), right_(x - z, y, channel)));
        }
        difference_(x, y, z) = cast<uint8_t>(min(total, kLargestCost));

        slice_ = RDom(0, slices, "slice");
        Expr cost = cast<int>(difference_(x, y, slice_));
        spread_(x, y) = Tuple(0, 0);
        spread_(x, y) = Tuple(spread_(x, y)[0] + cost, spread_(x, y)[1] + cost * cost);
        // One added keeps the mean defined where nothing differs.
        const int count = slices;
        const float scale = 1.0f / (count * count * kLargestCost * kLargestCost);
        Expr variance = spread_(x, y)[1] * count - spread_(x, y)[0] * spread_(x, y)[0];
        confidence_(x, y) = cast<float>(variance + 1) * scale;
        volume_0_(x, y, z) =
            confidence_(x, y) * cast<float>(difference_(x, y, z)) * (1.0f / kLargestCost);
    }

    void build_pyramids() {
        volume_.push_back({Func(), volume_0_});
        weight_.push_back({Func(), confidence_});
        for (int level = 1; level < pyramid_levels; level++) {
            volume_.push_back(reduce(volume_.back().result, {x, y, z}, level, "volume"));
            weight_.push_back(reduce(weight_.back().result, {x, y}, level, "weight"));
        }
    }

    void collapse_pyramids() {
        merged_volume_.resize(pyramid_levels);
        merged_weight_.resize(pyramid_levels);
        merged_volume_.back() = volume_.back().result;
        merged_weight_.back() = weight_.back().result;
        for (int level = pyramid_levels - 2; level >= 0; level--) {
            merged_volume_[level] = merge(volume_[level].result, merged_volume_[level + 1],
                                          {x, y, z}, level, "merged_volume");
            merged_weight_[level] = merge(weight_[level].result, merged_weight_[level + 1],  //
                                          {x, y}, level, "merged_weight");
        }
        smoothed_(x, y, z) = merged_volume_[0](x, y, z) / merged_weight_[0](x, y);
    }

    // Pixel (x, y) of `level` lies on pixel (2x, 2y) of the level `fine` before it.
    ReducedLevel reduce(Func fine, const Args &args, int level, const std::string &name) {
        return reduce_level(fine, args, level, name, {left.dim(0).extent(), left.dim(1).extent()},
                            [](const auto &at) { return three_taps(at); });
    }

    // `fine` and its share of `coarse`, which is expanded linearly.
    Func merge(Func fine, Func coarse, const Args &args, int level, const std::string &name) {
        Func along_y(numbered(name + "_along_y", level)), expanded(numbered(name + "_x", level));
        Func merged(numbered(name, level));
        along_y(args) =
            0.5f * (coarse(moved(args, x, y / 2)) + coarse(moved(args, x, (y + 1) / 2)));
        expanded(args) =
            0.5f * (along_y(moved(args, x / 2, y)) + along_y(moved(args, (x + 1) / 2, y)));
        merged(args) = fine(moved(args, x, y)) + coarse_share * expanded(moved(args, x, y));
        return merged;
    }

    void find_disparity() {
        const float kSharpness = 48.0f;
        lowest_(x, y) = 1.0f;  // no cost is higher
        lowest_(x, y) = min(lowest_(x, y), smoothed_(x, y, slice_));
        Expr share = exp(kSharpness * (lowest_(x, y) - smoothed_(x, y, slice_)));
        soft_(x, y) = Tuple(0.0f, 0.0f);
        soft_(x, y) = Tuple(soft_(x, y)[0] + share,  //
                            soft_(x, y)[1] + share * cast<float>(slice_));
        disparity_(x, y) = soft_(x, y)[1] / soft_(x, y)[0];
        disc_(x, y) = min(abs(disparity_(x, y) - focus) * aperture, static_cast<float>(radius));
    }

    void open_aperture() {
        sample_ = RDom(0, samples, "sample");
        const Buffer<int8_t> spirals = make_spirals();
        const int largest = radius;
        const auto offset = [&](int dimension) {
            Expr entry = spirals(sample_, x % kPatternSide, y % kPatternSide, dimension);
            return clamp(cast<int>(entry), -largest, largest);
        };
        Expr dx = offset(0), dy = offset(1);
        Expr sx = clamp(x + dx, 0, left.dim(0).extent() - 1);
        Expr sy = clamp(y + dy, 0, left.dim(1).extent() - 1);

        Expr behind = clamp(disparity_(x, y) - disparity_(sx, sy), 0.0f, 1.0f);
        Expr reach = disc_(sx, sy) - behind * max(disc_(sx, sy) - disc_(x, y), 0.0f);
        Expr distance = sqrt(cast<float>(dx * dx + dy * dy));
        Expr covers = clamp(reach - distance + 1.0f, 0.0f, 1.0f);
        Expr share = covers / (reach * reach + 0.5f);

        gathered_(x, y) = Tuple(0.0f, 0.0f, 0.0f, 0.0f);
        std::vector<Expr> sums;
        for (int channel = 0; channel < 3; channel++) {
            sums.push_back(gathered_(x, y)[channel] + share * cast<float>(left(sx, sy, channel)));
        }
        sums.push_back(gathered_(x, y)[3] + share);
        gathered_(x, y) = Tuple(sums);

        // The first sample is the pixel itself, so there is always one.
        Tuple sum = gathered_(x, y);
        output(x, y, c) = mux(c, {sum[0], sum[1], sum[2]}) / (sum[3] * 255.0f);
    }

    // Offsets in the disc by sample, place in the 4x4 square and dimension. Sample s lies at the
    // golden angle from sample s - 1 (Vogel 1979).
    Buffer<int8_t> make_spirals() const {
        const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
        Buffer<int8_t> spirals({samples, kPatternSide, kPatternSide, 2}, "spirals");
        spirals.for_each_element([&](int sample, int column, int row, int dimension) {
            // An odd factor makes neighbours' turns differ much.
            const int place = (column + kPatternSide * row) * 7 % (kPatternSide * kPatternSide);
            const double turn = 2.0 * std::numbers::pi * place / (kPatternSide * kPatternSide);
            const double angle = sample * golden_angle + turn;
            const double length = radius * std::sqrt(static_cast<double>(sample) / samples);
            const double along = dimension == 0 ? std::cos(angle) : std::sin(angle);
            spirals(sample, column, row, dimension) =
                static_cast<int8_t>(std::lround(length * along));
        });
        return spirals;
    }

    template <typename At>
    static Expr three_taps(At at) {
        return (at(-1) + at(1) + 2.0f * at(0)) * 0.25f;
    }

    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        confidence_.compute_root().parallel(y, 8).vectorize(x, lanes);
        spread_.compute_at(confidence_, y).vectorize(x, lanes);
        spread_.update().reorder(x, slice_, y).vectorize(x, lanes);
        for (int level = 1; level < pyramid_levels; level++) {
            for (ReducedLevel *pyramid : {&volume_[level], &weight_[level]}) {
                pyramid->result.compute_root().split(y, yo, yi, 8).parallel(yo).vectorize(x, lanes);
                pyramid->along_y.compute_at(pyramid->result, yo).vectorize(x, lanes);
            }
            if (level == pyramid_levels - 1) continue;
            merged_volume_[level].compute_root().parallel(y, 8).vectorize(x, lanes);
            merged_weight_[level].compute_root().parallel(y, 8).vectorize(x, lanes);
        }
        disparity_.compute_root().parallel(y, 8).vectorize(x, lanes);
        smoothed_.compute_at(disparity_, y).vectorize(x, lanes);
        merged_weight_[0].compute_at(disparity_, y).vectorize(x, lanes);
        lowest_.compute_at(disparity_, y).vectorize(x, lanes);
        lowest_.update().reorder(x, slice_).vectorize(x, lanes);
        soft_.compute_at(disparity_, y).vectorize(x, lanes);
        soft_.update().reorder(x, slice_).vectorize(x, lanes);
        output.reorder(x, c, y)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(y, 8, TailStrategy::GuardWithIf);
        gathered_.compute_at(output, y).vectorize(x, lanes);
        gathered_.update().reorder(x, sample_).vectorize(x, lanes);
    }

    // One kernel finds the confidence, one reduces each level, one merges each level but the
    // coarsest and the finest, one finds the disparity and one blurs. Of full size are stored
    // confidence and disparity only, not the cost volume: it is cheaper to compute twice than to
    // move.
    void schedule_by_hand() {
        confidence_.compute_root()
            .tile(x, y, xo, yo, xt, yt, 32, 8, TailStrategy::RoundUp)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        spread_.compute_at(confidence_, xt);
        spread_.update().unroll(slice_, 4);
        for (int level = 1; level < pyramid_levels; level++) reduce_by_hand(level);
        stage_costs_by_hand();
        for (int level = 1; level < pyramid_levels - 1; level++) merge_by_hand(level);
        find_disparity_by_hand();
        open_aperture_by_hand();
    }

    // Coarse levels have few tiles: small ones with all slices at once keep more of the device
    // busy.
    static int tile_width(int level) { return level <= 3 ? 32 : 16; }
    static int slice_threads(int level) { return level <= 3 ? 8 : 16; }

    // A thread computes four pixels of a column, for one slice after another. The twelve sums along
    // y that these need are in its registers. The weights, which have no slices, are computed by
    // the same kernel.
    void reduce_by_hand(int level) {
        const int tile = tile_width(level);
        ReducedLevel &volume = volume_[level], &weight = weight_[level];
        volume.result.compute_root()
            .tile(x, y, xo, yo, xt, yi, tile, 4, TailStrategy::RoundUp)
            .split(z, zo, zt, slice_threads(level), TailStrategy::RoundUp)
            .reorder(yi, xt, zt, zo, xo, yo)
            .unroll(yi)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, zt);
        volume.along_y.compute_at(volume.result, xt).unroll(x).unroll(y);
        weight.result.compute_root()
            .tile(x, y, xo, yo, xt, yt, tile, 4, TailStrategy::RoundUp)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt)
            .compute_with(volume.result, xo);
    }

    // Each weighted cost of full size enters into up to four of the next level: a block computes
    // those of its slices once, in shared memory. A thread does all slices of a pixel, so that it
    // reads the left image and the confidence once.
    void stage_costs_by_hand() {
        volume_0_.in(volume_[1].along_y)
            .compute_at(volume_[1].result, zo)
            .fuse(x, y, xy)
            .split(xy, xs, xt, tile_width(1) * slice_threads(1), TailStrategy::GuardWithIf)
            .split(xt, yt, xt, tile_width(1))
            .reorder(z, xs, xt, yt)
            .unroll(z)
            .gpu_threads(xt, yt);
    }

    // A thread computes two rows, one even and one odd, that share what they read.
    void merge_by_hand(int level) {
        Func volume = merged_volume_[level], weight = merged_weight_[level];
        volume.compute_root()
            .align_bounds(y, 2)
            .split(y, yp, yi, 2)
            .split(x, xo, xt, tile_width(level), TailStrategy::GuardWithIf)
            .split(z, zo, zt, slice_threads(level), TailStrategy::GuardWithIf)
            .reorder(yi, xt, zt, zo, xo, yp)
            .unroll(yi)
            .gpu_blocks(xo, yp)
            .gpu_threads(xt, zt);
        weight.compute_root()
            .align_bounds(y, 2)
            .split(y, yp, yi, 2)
            .split(x, xo, xt, tile_width(level), TailStrategy::GuardWithIf)
            .reorder(yi, xt, xo, yp)
            .unroll(yi)
            .gpu_blocks(xo, yp)
            .gpu_threads(xt)
            .compute_with(volume, xo);
    }

    // A thread keeps the smoothed costs of its pixel in registers, for they are read twice. Those
    // of 32 slices fit; 64 would spill.
    void find_disparity_by_hand() {
        disparity_.compute_root()
            .tile(x, y, xo, yo, xt, yt, 32, 8, TailStrategy::GuardWithIf)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        merged_weight_[0].compute_at(disparity_, xt);
        smoothed_.compute_at(disparity_, xt).unroll(z);
        lowest_.compute_at(disparity_, xt).update().unroll(slice_);
        soft_.compute_at(disparity_, xt).update().unroll(slice_);
    }

    // The samples of neighbours overlap and meet in the cache.
    void open_aperture_by_hand() {
        output.tile(x, y, xo, yo, xt, yt, 32, 8, TailStrategy::GuardWithIf)
            .reorder(c, xt, yt, xo, yo)
            .unroll(c)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        gathered_.compute_at(output, xt).update().unroll(sample_, 4);
    }

    void set_estimates_and_layout() {
        // Origins at 0 tell a scheduler which pixels are even.
        for (int dimension : {0, 1}) {
            left.dim(dimension).set_min(0);
            right.dim(dimension).set_min(0);
            output.dim(dimension).set_min(0);
        }
        left.dim(2).set_bounds(0, 3);
        right.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        left.set_estimates({{0, width}, {0, height}, {0, 3}});
        right.set_estimates({{0, width}, {0, height}, {0, 3}});
        focus.set_estimate(20.0f);
        aperture.set_estimate(0.75f);
        coarse_share.set_estimate(0.5f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, xt{"xt"}, yt{"yt"}, yp{"yp"};
    Var zo{"zo"}, zt{"zt"}, xy{"xy"}, xs{"xs"};
    RDom slice_, sample_;
    Func left_, right_;
    Func difference_{"difference"}, spread_{"spread"}, confidence_{"confidence"};
    Func volume_0_{"volume_0"}, smoothed_{"smoothed"}, lowest_{"lowest"}, soft_{"soft"};
    Func disparity_{"disparity"}, disc_{"disc"}, gathered_{"gathered"};
    // By level, the finest first.
    std::vector<ReducedLevel> volume_, weight_;
    std::vector<Func> merged_volume_, merged_weight_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LensBlur, lens_blur)
