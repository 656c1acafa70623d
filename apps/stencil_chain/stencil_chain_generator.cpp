// A chain of 5x5 stencils on 16-bit integers: the shape of long image pipelines, and the simplest
// pipeline whose good schedules all need a compromise. Fusing two stages saves a trip through
// memory and recomputes a border, which grows by two pixels a side for every further stage.
//
//   input ─► padded ─► stage_0 ─► stage_1 ─► … ─► output
#include <Halide.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace Halide;

class StencilChain : public Generator<StencilChain> {
public:
    GeneratorParam<int> stages{"stages", 32, 1, 1024};
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    void generate() {
        chain_.push_back(BoundaryConditions::repeat_edge(input));
        for (int i = 0; i + 1 < stages; i++) {
            Func stage("stage_" + std::to_string(i));
            stage(x, y) = stencil(chain_.back(), i);
            chain_.push_back(stage);
        }
        output(x, y) = stencil(chain_.back(), stages - 1);
        chain_.push_back(output);

        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<uint16_t>();
        for (int i = 1; i < stages; i++) {
            chain_[i].compute_root().vectorize(x, lanes).parallel(y, 16);
        }
        output.vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(y, 16, TailStrategy::GuardWithIf);
    }

    // Two stages per kernel. By count, the arithmetic of one stage takes a GPU about as long as one
    // trip of the image through global memory. So two stages hide that trip, and a third would add
    // more work on borders than it saves.
    //
    // The first of the two is kept in shared memory. A thread makes 2 x 8 pixels of the second (2 x
    // 9 of the first) from a window of 6 x 12 that it reads into registers first, two pixels per
    // load: 2.3 loads per pixel instead of 25. All tiles are even in width for that.
    void schedule_by_hand() {
        int i = stages;
        for (; i > 1; i -= 2) {
            second_by_hand(i);
            first_by_hand(i - 1);
        }
        // An odd number leaves the first stage alone.
        if (i == 1) {
            chain_[1].compute_root().gpu_tile(x, y, xo, yo, xt, yt, 32, 8,
                                              TailStrategy::GuardWithIf);
        }
    }

    void second_by_hand(int i) {
        // A thread's share is rounded up and whole threads are guarded, so that no pixel has a
        // guard of its own. The output has no room for that, nor may its alignment be chosen.
        const bool is_output = i == stages;
        const auto share = is_output ? TailStrategy::GuardWithIf : TailStrategy::RoundUp;
        if (!is_output) chain_[i].align_bounds(x, 2).align_storage(x, 2);
        chain_[i]
            .compute_root()
            .split(x, xt, xu, 2, share)
            .split(xt, xo, xt, kThreadsX - 2, TailStrategy::GuardWithIf)
            .split(y, yt, yu, kRowsPerThread, share)
            .split(yt, yo, yt, kThreadsY, TailStrategy::GuardWithIf)
            .reorder(xu, yu, xt, yt, xo, yo)
            .unroll(xu)
            .unroll(yu)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        window_by_hand(i, kRowsPerThread + 4);
    }

    // The border of two pixels a side is one more row for each of four threads, and two more
    // threads that have nothing to do in the second stage.
    void first_by_hand(int i) {
        chain_[i]
            .compute_at(chain_[i + 1], xo)
            .bound_extent(x, 2 * kThreadsX)
            .bound_extent(y, kThreadsY * (kRowsPerThread + 1))
            .split(x, xt, xu, 2)
            .split(y, yt, yu, kRowsPerThread + 1)
            .reorder(xu, yu, xt, yt)
            .unroll(xu)
            .unroll(yu)
            .gpu_threads(xt, yt);
        window_by_hand(i, kRowsPerThread + 5);
    }

    // What a thread of stage i reads, in registers.
    void window_by_hand(int i, int rows) {
        Func window = chain_[i - 1].in(chain_[i]);
        const Var column = window.args()[0], row = window.args()[1];
        window.compute_at(chain_[i], xt)
            .bound_extent(column, 6)
            .bound_extent(row, rows)
            .unroll(row);
        if (i > 1) window.vectorize(column, 2);  // the padded input repeats single pixels
        window.unroll(column);
    }

    static constexpr int kThreadsX = 64, kThreadsY = 4, kRowsPerThread = 8;
    Var xo{"xo"}, yo{"yo"}, xt{"xt"}, yt{"yt"}, xu{"xu"}, yu{"yu"};

    // A binomial window, and on every fourth stage a sharpening one that gives back what the blurs
    // took. The weights of each sum to 256, so the range of 16 bits is kept but for saturation.
    Expr stencil(const Func &f, int stage) {
        static constexpr std::array<int, 5> kBinomial = {1, 4, 6, 4, 1};
        const bool sharpen = stage % 4 == 3;
        Expr sum = 128;
        for (int dy = -2; dy <= 2; dy++) {
            for (int dx = -2; dx <= 2; dx++) {
                int weight = kBinomial[dx + 2] * kBinomial[dy + 2];
                if (sharpen) weight = (dx == 0 && dy == 0 ? 512 : 0) - weight;
                sum += weight * cast<int32_t>(f(x + dx, y + dy));
            }
        }
        return saturating_cast<uint16_t>(sum >> 8);
    }

    Var x{"x"}, y{"y"};
    std::vector<Func> chain_;  // the padded input, all stages, the output
};

}  // namespace

HALIDE_REGISTER_GENERATOR(StencilChain, stencil_chain)
