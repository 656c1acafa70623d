// Demosaicing with a small convolutional network, of the shape that Gharbi et al. 2016 ("Deep joint
// demosaicking and denoising") describe: the mosaic's cells of 2x2 become four channels at half
// size, a stack of 3x3 convolutions works there, and its last layer's twelve channels are three
// colours of each of the cell's four pixels. They are what is missing to the cell's own colours.
//
//   mosaic ─► packed ─► conv_1 ─► relu_1 ─► conv_2 ─► relu_2 ─► conv_3 ─► relu_3 ─► conv_4
//    (x, y)     │ 4                  16                  16                  16       │ 12
//               └──────────► base ─────────────────────────────────► output ◄────── shuffled
//                                                                   (x, y, 3)
//
// Layers are not padded: an activation beyond the border is what the network makes of the mosaic's
// repeated border.
#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;

constexpr int kLayers = 4;
constexpr int kChannels[kLayers + 1] = {4, 16, 16, 16, 12};

// A block of the expert's schedule: cells that it makes, and its threads. Threads in x are kTileX.
constexpr int kTileX = 32, kTileY = 16;
constexpr int kThreadsY = 4, kThreadsZ = 2;
constexpr int kThreads = kTileX * kThreadsY * kThreadsZ;

class LearnedDemosaic : public Generator<LearnedDemosaic> {
public:
    GeneratorParam<int> width{"width", 1536, 2, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 2, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    // x, y; green and red in even rows, blue and green in odd ones; at least 2x2 pixels.
    Input<Buffer<float, 2>> mosaic{"mosaic"};
    Input<Buffer<float, 4>[kLayers]> weights { "weights" };  // to channel, from channel, x, y
    Input<Buffer<float, 1>[kLayers]> bias { "bias" };        // channel
    Output<Buffer<float, 3>> output{"output"};               // x, y, colour

    void generate() {
        auto at = [&](int d, const Expr &position, const Expr &odd) {
            // The outer minimum changes nothing, but tells the bound without knowing the site.
            Expr end = mosaic.dim(d).extent() - 1;
            return clamp(2 * position + odd, odd, min((end - odd) / 2 * 2 + odd, end));
        };
        packed_(x, y, c) = mosaic(at(0, x, c % 2), at(1, y, c / 2));

        Func previous = packed_;
        for (int i = 0; i < kLayers; i++) {
            const std::string number = std::to_string(i + 1);
            RDom r(0, 3, 0, 3, 0, kChannels[i], "r" + number);
            Func conv("conv_" + number);
            conv(x, y, c) = bias[i](c);
            conv(x, y, c) += weights[i](c, r.z, r.x, r.y) * previous(x + r.x - 1, y + r.y - 1, r.z);
            windows_.push_back(r);
            convs_.push_back(conv);
            if (i + 1 == kLayers) break;
            Func relu("relu_" + number);
            relu(x, y, c) = max(conv(x, y, c), 0.0f);
            relus_.push_back(relu);
            previous = relu;
        }

        Expr pixel = y % 2 * 2 + x % 2;  // of the cell
        shuffled_(x, y, c) = convs_.back()(x / 2, y / 2, pixel * 3 + c);
        auto own = [&](int site) { return packed_(x / 2, y / 2, site); };
        base_(x, y, c) = mux(c, {own(1), (own(0) + own(3)) * 0.5f, own(2)});
        output(x, y, c) = clamp(base_(x, y, c) + shuffled_(x, y, c), 0.0f, 1.0f);

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
    // All channels of a vector of pixels are accumulated in registers.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
        packed_.compute_root().vectorize(x, lanes).parallel(y, 16);
        for (size_t i = 0; i < relus_.size(); i++) {
            relus_[i]
                .compute_root()
                .split(x, xo, xi, lanes)
                .reorder(xi, c, xo, y)
                .vectorize(xi)
                .unroll(c)
                .parallel(y, 8);
            accumulate_in_registers(i, relus_[i], xo, lanes);
        }
        output.tile(x, y, xo, yo, xi, yi, 2 * lanes, 2, TailStrategy::GuardWithIf)
            .reorder(c, xi, yi, xo, yo)
            .parallel(yo, 8, TailStrategy::GuardWithIf);
        accumulate_in_registers(kLayers - 1, output, xo, lanes);
    }

    void accumulate_in_registers(int layer, Func user, const Var &at, int lanes) {
        const RDom &r = windows_[layer];
        convs_[layer]
            .compute_at(user, at)
            .bound_extent(c, kChannels[layer + 1])
            .vectorize(x, lanes)
            .unroll(c);
        convs_[layer].update().reorder(x, c, r.x, r.y, r.z).vectorize(x, lanes).unroll(c);
    }

    // Four kernels, one per layer: the arithmetic outweighs what fusing layers would save in memory
    // traffic, and fused tiles would compute their borders again. Each block has 32x16 cells and
    // 32x4x2 threads; its piece of the layer below and all of the layer's weights are staged in
    // shared memory (38 + 9 KiB of the 48). A thread accumulates eight channels of a column of four
    // cells in registers. Neighbours in x are neighbours in a warp, so that all accesses to
    // activations are contiguous and all to weights are the same for the warp.
    void schedule_by_hand() {
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, ty{"ty"}, tz{"tz"}, ci{"ci"};
        for (size_t i = 0; i < relus_.size(); i++) {
            const int channels = kChannels[i + 1] / kThreadsZ;
            relus_[i]
                .compute_root()
                .tile(x, y, xo, yo, xi, yi, kTileX, kTileY, TailStrategy::RoundUp)
                .split(yi, ty, yi, kTileY / kThreadsY)
                .split(c, tz, ci, channels)
                .reorder(ci, yi, xi, ty, tz, xo, yo)
                .unroll(ci)
                .unroll(yi)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, ty, tz);
            multiply_by_hand(i, relus_[i], xi, kTileY / kThreadsY, channels);
            stage_window((i == 0 ? packed_ : relus_[i - 1]).in(convs_[i]), relus_[i], xo);
            stage_weights(i, relus_[i], xo);
        }

        // All twelve channels of two cells: a thread needs them for its 2x2 pixels. Its two stores
        // per row skip each other's pixels, but follow so closely that the cache joins them.
        Var cx{"cx"}, cy{"cy"}, px{"px"}, py{"py"};
        constexpr int cells = kTileY / kThreadsY / kThreadsZ;
        output.bound(c, 0, 3)
            .tile(x, y, xo, yo, xi, yi, 2 * kTileX, 2 * kTileY, TailStrategy::GuardWithIf)
            .split(xi, cx, px, 2)
            .split(yi, cy, py, 2)
            .split(cy, ty, cy, cells)
            .split(ty, tz, ty, kThreadsY)
            .reorder(c, px, py, cy, cx, ty, tz, xo, yo)
            .unroll(c)
            .unroll(px)
            .unroll(py)
            .unroll(cy)
            .gpu_blocks(xo, yo)
            .gpu_threads(cx, ty, tz);
        multiply_by_hand(kLayers - 1, output, cx, cells, kChannels[kLayers]);
        stage_window(relus_.back().in(convs_.back()), output, xo);
        stage_weights(kLayers - 1, output, xo);
    }

    // Accumulates a column of cells for some channels; what is read of the layer below serves all
    // three rows of the window.
    void multiply_by_hand(int layer, Func user, const Var &thread, int cells, int channels) {
        const RDom &r = windows_[layer];
        Func conv = convs_[layer];
        conv.compute_at(user, thread)
            .bound_extent(x, 1)
            .bound_extent(y, cells)
            .bound_extent(c, channels)
            .reorder(c, y, x)
            .unroll(c)
            .unroll(y);
        conv.update().reorder(c, y, r.y, r.x, r.z, x).unroll(c).unroll(y).unroll(r.y).unroll(r.x);
    }

    // A block's cells with a border of one. Tiles at the picture's edge stage no less, so that the
    // size is known when compiling.
    void stage_window(Func below, Func user, const Var &block) {
        Var cell{"cell"}, trip{"trip"}, lane{"lane"}, tx{"tx"}, ty{"ty"}, tz{"tz"};
        below.compute_at(user, block)
            .bound_extent(x, kTileX + 2)
            .bound_extent(y, kTileY + 2)
            .fuse(x, y, cell)
            .split(cell, trip, lane, kThreads, TailStrategy::GuardWithIf)
            .split(lane, ty, tx, kTileX)
            .split(ty, tz, ty, kThreadsY)
            .reorder(c, tx, ty, tz, trip)
            .gpu_threads(tx, ty, tz);
    }

    void stage_weights(int layer, Func user, const Var &block) {
        Func staged = weights[layer].in(convs_[layer]);
        Var item{"item"}, trip{"trip"}, lane{"lane"}, tx{"tx"}, ty{"ty"}, tz{"tz"};
        const std::vector<Var> d = staged.args();
        staged.compute_at(user, block)
            .fuse(d[0], d[1], item)
            .fuse(item, d[2], item)
            .fuse(item, d[3], item)
            .split(item, trip, lane, kThreads, TailStrategy::GuardWithIf)
            .split(lane, ty, tx, kTileX)
            .split(ty, tz, ty, kThreadsY)
            .gpu_threads(tx, ty, tz);
    }

    void set_estimates_and_layout() {
        // Cells are known by their coordinates.
        for (int d = 0; d < 2; d++) {
            mosaic.dim(d).set_min(0);
            output.dim(d).set_min(0);
        }
        for (int i = 0; i < kLayers; i++) {
            const int shape[] = {kChannels[i + 1], kChannels[i], 3, 3};
            int stride = 1;
            for (int d = 0; d < 4; d++) {
                weights[i].dim(d).set_bounds(0, shape[d]).set_stride(stride);
                stride *= shape[d];
            }
            weights[i].set_estimates({{0, shape[0]}, {0, shape[1]}, {0, 3}, {0, 3}});
            bias[i].dim(0).set_bounds(0, shape[0]);
            bias[i].set_estimates({{0, shape[0]}});
        }
        output.dim(2).set_bounds(0, 3);
        mosaic.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, c{"c"};
    std::vector<RDom> windows_;  // by layer
    std::vector<Func> convs_, relus_;
    Func packed_{"packed"}, base_{"base"}, shuffled_{"shuffled"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LearnedDemosaic, learned_demosaic)
