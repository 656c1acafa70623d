// From a camera's raw picture to one that can be shown, the steps that Adams et al. 2010 ("The
// Frankencamera") give for it. A sensor has one colour per pixel, in cells of 2x2:
//
//       x  even    odd
//   y even green1  red         green1 and green2 are the greens of red and of blue rows
//      odd blue    green2
//
// The four sites are handled as four planes of half the size. A pixel outside the range of its four
// neighbours of the same colour is a defect of the sensor and is moved into that range. Green is
// interpolated at red and blue sites along the direction that has the weaker edge (Hamilton & Adams
// 1997), then the differences of red and blue to green along rows, columns and the smoother
// diagonal. A matrix that depends on the light's colour temperature turns the camera's colours into
// the screen's, a curve brightens them and sets the contrast (bias and gain of Schlick 1994, which
// need no powers), and an unsharp mask is applied last.
//
//   input ─► 4 planes ─► 4 cleaned ─► across, down, edges ─► difference ─► green_at ─┐
//               (all of these twice: at red and at blue sites)   │                   ▼
//                                            6 missing colours ◄─┘       red, green, blue
//                                                   └───────────────────────────▲   │
//   output ◄── blur_x ◄── blur_y ◄── toned ◄── corrected ◄──────────────────────────┘
//                                      ▲            ▲
//                                    curve       matrix
//
// All arithmetic is on integers, so that every device computes the same picture.
#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;

constexpr int kWhite = 1023;   // the largest value of the 10-bit sensor
constexpr int kThreads = 288;  // per block of the expert's schedule

class CameraPipe : public Generator<CameraPipe> {
public:
    GeneratorParam<int> width{"width", 1536, 2, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 2, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint16_t, 2>> input{"input"};  // x, y; at least 2x2 pixels
    // Screen colours from camera colours (columns red, green, blue, in 1/256, and an offset in
    // units of the sensor) under a lamp of 3200 K and in a shade of 7000 K.
    Input<Buffer<int16_t, 2>> warm{"warm"};  // column, row
    Input<Buffer<int16_t, 2>> cool{"cool"};
    Input<int> temperature{"temperature", 4200, 2000, 20000};  // of the light, in kelvin
    Input<int> brightness{"brightness", 70, 1, 99};            // where middle grey goes, in percent
    Input<int> contrast{"contrast", 60, 1, 99};                // 50 changes nothing
    Input<int> strength{"strength", 24, 0, 256};               // of the sharpening, in 1/32
    Output<Buffer<uint8_t, 3>> output{"output"};               // x, y, channel

    void generate() {
        take_planes_apart();
        green1_ = cleaned(raw_[0]), red_ = cleaned(raw_[1]);
        blue_ = cleaned(raw_[2]), green2_ = cleaned(raw_[3]);

        // The green neighbours of a red site are left, right, above and below it; those of a blue
        // site are the other plane's.
        difference_red_ = difference("red", red_, green1_(x, y), green1_(x + 1, y),
                                     green2_(x, y - 1), green2_(x, y));
        difference_blue_ = difference("blue", blue_, green2_(x - 1, y), green2_(x, y),
                                      green1_(x, y), green1_(x, y + 1));
        demosaic();

        mix_matrix();
        Expr sum = matrix_(3, c) * 256;
        for (int k = 0; k < 3; k++) sum += matrix_(k, c) * cast<int32_t>(colour_[k](x, y));
        corrected_(x, y, c) = cast<int16_t>(clamp(sum >> 8, 0, kWhite));
        draw_curve();
        toned_(x, y, c) = curve_(corrected_(x, y, c));

        sharpen();
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
    // The border repeats the last cell's pixel of the same colour.
    void take_planes_apart() {
        const std::string names[] = {"raw_green1", "raw_red", "raw_blue", "raw_green2"};
        auto at = [&](int d, const Var &v, int odd) {
            Expr last = (input.dim(d).extent() - 1 - odd) / 2 * 2 + odd;
            return clamp(2 * v + odd, odd, last);
        };
        for (int site = 0; site < 4; site++) {
            Func plane(names[site]);
            Expr value = input(at(0, x, site % 2), at(1, y, site / 2));
            plane(x, y) = cast<int16_t>(min(value, kWhite));
            raw_.push_back(plane);
        }
    }

    Func cleaned(const Func &raw) {
        Expr left = raw(x - 1, y), right = raw(x + 1, y);
        Expr above = raw(x, y - 1), below = raw(x, y + 1);
        Func plane(raw.name().substr(std::string("raw_").size()));
        plane(x, y) = clamp(raw(x, y), min(min(left, right), min(above, below)),
                            max(max(left, right), max(above, below)));
        return plane;
    }

    // A colour less the green that is interpolated where it was measured. The colour's own second
    // derivative corrects the mean of two greens.
    Func difference(const std::string &site, const Func &plane, const Expr &left, const Expr &right,
                    const Expr &above, const Expr &below) {
        Func across("across_" + site), down("down_" + site);
        Func edge_across("edge_across_" + site), edge_down("edge_down_" + site);
        Expr twice = plane(x, y) * cast<int16_t>(2);
        Expr bend_across = twice - plane(x - 1, y) - plane(x + 1, y);
        Expr bend_down = twice - plane(x, y - 1) - plane(x, y + 1);
        across(x, y) = (2 * (left + right) + bend_across) >> 2;
        down(x, y) = (2 * (above + below) + bend_down) >> 2;
        edge_across(x, y) = cast<int16_t>(abs(left - right)) + cast<int16_t>(abs(bend_across));
        edge_down(x, y) = cast<int16_t>(abs(above - below)) + cast<int16_t>(abs(bend_down));
        Func result("difference_" + site);
        result(x, y) =
            plane(x, y) - select(edge_across(x, y) < edge_down(x, y), across(x, y), down(x, y));
        return result;
    }

    void demosaic() {
        auto mean = [](const Expr &a, const Expr &b) { return (a + b) >> 1; };
        // Of two diagonals of differences, the one that changes less.
        auto diagonal = [&](const Func &f, const Expr &x0, const Expr &y0) {
            Expr a = f(x0, y0), b = f(x0 + 1, y0 + 1), d = f(x0 + 1, y0), e = f(x0, y0 + 1);
            return select(abs(a - b) < abs(d - e), mean(a, b), mean(d, e));
        };
        const Func &dr = difference_red_, &db = difference_blue_;
        Func green_at_red("green_at_red"), green_at_blue("green_at_blue");
        green_at_red(x, y) = red_(x, y) - dr(x, y);
        green_at_blue(x, y) = blue_(x, y) - db(x, y);

        Func red_at_green1("red_at_green1"), red_at_green2("red_at_green2");
        Func red_at_blue("red_at_blue"), blue_at_red("blue_at_red");
        Func blue_at_green1("blue_at_green1"), blue_at_green2("blue_at_green2");
        red_at_green1(x, y) = green1_(x, y) + mean(dr(x - 1, y), dr(x, y));
        red_at_green2(x, y) = green2_(x, y) + mean(dr(x, y), dr(x, y + 1));
        red_at_blue(x, y) = green_at_blue(x, y) + diagonal(dr, x - 1, y);
        blue_at_green1(x, y) = green1_(x, y) + mean(db(x, y - 1), db(x, y));
        blue_at_green2(x, y) = green2_(x, y) + mean(db(x, y), db(x + 1, y));
        blue_at_red(x, y) = green_at_red(x, y) + diagonal(db, x, y - 1);

        colour_ = {together("red_everywhere", red_at_green1, red_, red_at_blue, red_at_green2),
                   together("green_everywhere", green1_, green_at_red, green_at_blue, green2_),
                   together("blue_everywhere", blue_at_green1, blue_at_red, blue_, blue_at_green2)};
    }

    // One picture of whole size from the planes of the four sites.
    Func together(const std::string &name, const Func &even_even, const Func &odd_even,
                  const Func &even_odd, const Func &odd_odd) {
        auto at = [&](const Func &plane) { return plane(x / 2, y / 2); };
        Func whole(name);
        whole(x, y) = select(y % 2 == 0, select(x % 2 == 0, at(even_even), at(odd_even)),
                             select(x % 2 == 0, at(even_odd), at(odd_odd)));
        return whole;
    }

    // Colours of light are even on the scale of reciprocal temperatures (1e6 / kelvin).
    void mix_matrix() {
        const int warm_end = 1000000 / 3200, cool_end = 1000000 / 7000;
        Expr mired = clamp(1000000 / temperature, cool_end, warm_end);
        Expr share = (mired - cool_end) * 256 / (warm_end - cool_end);
        Expr mixed = share * warm(column, row) + (256 - share) * cool(column, row);
        matrix_(column, row) = (mixed + 128) >> 8;
    }

    void draw_curve() {
        auto bias = [](const Expr &v, const Expr &percent) {
            return v * percent * kWhite / ((100 - 2 * percent) * (kWhite - v) + percent * kWhite);
        };
        Var level{"level"};
        Expr bright = bias(level, brightness);
        Expr steep = 100 - contrast;
        Expr gained = select(2 * bright < kWhite, bias(min(2 * bright, kWhite), steep) / 2,
                             kWhite - bias(min(2 * (kWhite - bright), kWhite), steep) / 2);
        curve_(level) = cast<uint8_t>((gained * 255 + kWhite / 2) / kWhite);
    }

    void sharpen() {
        auto binomial = [](const Expr &a, const Expr &b, const Expr &d) {
            return cast<uint16_t>(a) + cast<uint16_t>(2) * b + cast<uint16_t>(d);
        };
        blur_y_(x, y, c) = binomial(toned_(x, y - 1, c), toned_(x, y, c), toned_(x, y + 1, c));
        blur_x_(x, y, c) = binomial(blur_y_(x - 1, y, c), blur_y_(x, y, c), blur_y_(x + 1, y, c));
        Expr level = cast<int32_t>(toned_(x, y, c));
        Expr detail = 16 * level - cast<int32_t>(blur_x_(x, y, c));
        output(x, y, c) = saturating_cast<uint8_t>(level + ((detail * strength + 256) >> 9));
    }

    void schedule_for_cpu() {
        const int lanes = natural_vector_size<int16_t>();
        Var yo{"yo"}, yi{"yi"}, xi{"xi"};
        matrix_.compute_root();
        curve_.compute_root();
        output.compute_root()
            .split(y, yo, yi, 32, TailStrategy::GuardWithIf)
            .reorder(x, yi, c, yo)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(yo);
        for (Func plane : {green1_, red_, blue_, green2_, difference_red_, difference_blue_}) {
            plane.compute_at(output, yo).vectorize(x, lanes);
        }
        // Two columns at a time, so that each knows its site.
        toned_.compute_at(output, yo)
            .align_bounds(x, 2)
            .align_bounds(y, 2)
            .split(x, x, xi, 2)
            .reorder(xi, c, x, y)
            .unroll(c)
            .unroll(xi);
    }

    // One kernel for the picture, and a small one for the curve. A block makes 64x32 pixels of 3
    // channels, so a pixel's way through memory is two bytes in and three bytes out; all between is
    // 16 KiB of shared memory. The cells of a plane with its border don't divide into rows of
    // threads, so all stages number their items in one line and deal them to nine warps, which
    // leaves few of them idle: 561, 665, 720 and 777 items take two or three rounds.
    void schedule_by_hand() {
        constexpr int tile_width = 64, tile_height = 32, rows = 8;
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, strip{"strip"}, lane{"lane"};
        // Neighbours write neighbouring bytes. A thread goes down eight rows, so that a row of its
        // three columns is read once for three results.
        output.bound(c, 0, 3)
            .tile(x, y, xo, yo, xi, yi, tile_width, tile_height, TailStrategy::GuardWithIf)
            .split(yi, strip, yi, rows)
            .fuse(xi, strip, lane)
            .reorder(yi, c, lane, xo, yo)
            .unroll(yi)
            .gpu_threads(lane)
            .gpu_blocks(xo, yo);

        // 2x2 pixels with their three channels per item: the missing colours are found once and
        // stay in registers. A tile with its border starts at an odd pixel, so each pixel's site is
        // known when compiling.
        Var cell_x{"cell_x"}, cell_y{"cell_y"}, cell{"cell"}, trip{"trip"}, px{"px"}, py{"py"};
        toned_.compute_at(output, xo)
            .bound_extent(x, tile_width + 2)
            .bound_extent(y, tile_height + 2)
            .bound_extent(c, 3)
            .tile(x, y, cell_x, cell_y, px, py, 2, 2)
            .fuse(cell_x, cell_y, cell)
            .split(cell, trip, lane, kThreads, TailStrategy::GuardWithIf)
            .reorder(c, px, py, lane, trip)
            .unroll(c)
            .unroll(px)
            .unroll(py)
            .gpu_threads(lane);
        for (Func colour : colour_) colour.compute_at(toned_, lane).unroll(x).unroll(y);

        // The cells that those pixels touch, and the border that each stage adds to them.
        const int cells_x = tile_width / 2 + 2, cells_y = tile_height / 2 + 2;
        for (Func plane : {difference_red_, difference_blue_}) {
            deal(plane, xo, cells_x + 1, cells_y + 1);
        }
        for (Func plane : {green1_, green2_}) deal(plane, xo, cells_x + 2, cells_y + 2);
        for (Func plane : {red_, blue_}) deal(plane, xo, cells_x + 3, cells_y + 3);

        // Twelve numbers that every block mixes anew: cheaper than one more kernel.
        matrix_.compute_at(output, xo).fuse(column, row, lane).gpu_threads(lane);
        curve_.compute_root().gpu_tile(curve_.args()[0], xo, lane, 128);
    }

    // Computes a plane's part in shared memory. Tiles at the picture's edge make no less of it, so
    // that its size is known when compiling.
    void deal(Func plane, const Var &block, int extent_x, int extent_y) {
        Var item{"item"}, trip{"trip"}, lane{"lane"};
        plane.compute_at(output, block)
            .bound_extent(x, extent_x)
            .bound_extent(y, extent_y)
            .fuse(x, y, item)
            .split(item, trip, lane, kThreads, TailStrategy::GuardWithIf)
            .gpu_threads(lane);
    }

    void set_estimates_and_layout() {
        // Sites are known by their coordinates.
        for (int d = 0; d < 2; d++) {
            input.dim(d).set_min(0);
            output.dim(d).set_min(0);
        }
        for (auto *m : {&warm, &cool}) {
            m->dim(0).set_bounds(0, 4);
            m->dim(1).set_bounds(0, 3);
            m->set_estimates({{0, 4}, {0, 3}});
        }
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}});
        temperature.set_estimate(4200);
        brightness.set_estimate(70);
        contrast.set_estimate(60);
        strength.set_estimate(24);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, c{"c"}, column{"column"}, row{"row"};
    std::vector<Func> raw_;     // by site, row by row of the cell
    std::vector<Func> colour_;  // red, green, blue at whole size
    Func green1_, red_, blue_, green2_, difference_red_, difference_blue_;
    Func matrix_{"matrix"}, curve_{"curve"}, corrected_{"corrected"}, toned_{"toned"};
    Func blur_y_{"blur_y"}, blur_x_{"blur_x"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(CameraPipe, camera_pipe)
