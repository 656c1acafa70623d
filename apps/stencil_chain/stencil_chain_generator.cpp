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

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    void generate() {
        Func previous = BoundaryConditions::repeat_edge(input);
        for (int i = 0; i + 1 < stages; i++) {
            Func stage("stage_" + std::to_string(i));
            stage(x, y) = stencil(previous, i);
            chain_.push_back(stage);
            previous = stage;
        }
        output(x, y) = stencil(previous, stages - 1);

        input.set_estimates({{0, 1536}, {0, 2560}});
        output.set_estimates({{0, 1536}, {0, 2560}});
    }

    void schedule() {
        if (using_autoscheduler()) return;
        const int width = natural_vector_size<uint16_t>();
        for (Func stage : chain_) stage.compute_root().vectorize(x, width).parallel(y, 16);
        output.vectorize(x, width, TailStrategy::GuardWithIf)
            .parallel(y, 16, TailStrategy::GuardWithIf);
    }

private:
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
    std::vector<Func> chain_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(StencilChain, stencil_chain)
