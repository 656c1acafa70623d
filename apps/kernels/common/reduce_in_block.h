// How the experts of this folder reduce: a block of threads takes a reduction apart.
//
//   f(y) = sum over r ─►  in registers    each thread sums every 256th value     lanes(y, t)
//                         shared memory   16 threads sum 16 of these each        groups(y, g)
//                         shared memory   one thread sums these 16               f(y)
//
// Neighbouring threads read neighbouring values, and two barriers suffice where a tree would need
// eight. Nothing here depends on how long the reduction is.
#pragma once

#include <Halide.h>

namespace autoschedule_gpu::kernels {

struct BlockOfThreads {
    Halide::Func consumer;  // f is computed at its loop `block`; a scalar, at `thread`
    Halide::Var block;
    Halide::Var thread = Halide::Var("unused");
    int threads = 256;
    int unrolled = 4;  // loads of a thread that are under way at once
};

// Returns the Func in which each thread sums; the loop over its part of `r` is the RVar "r_step".
// The update of `f` must be associative, and commutative but for rounding.
inline Halide::Func reduce_in_block(Halide::Func f, const Halide::RVar &r,
                                    const BlockOfThreads &block) {
    using namespace Halide;
    const int group_size = 16;
    const std::string name = f.name();
    const Var t(name + "_t"), g(name + "_g");
    const RVar step("r_step"), rest("r_rest"), again("r_again"), lane("r_lane");
    const RVar member("r_member"), group("r_group");

    // One guard for each value, because only the outer split is not exact.
    f.update()
        .split(r, step, rest, block.threads * block.unrolled, TailStrategy::GuardWithIf)
        .split(rest, again, lane, block.threads);
    Func lanes = f.update().rfactor(lane, t);
    f.update().split(lane, member, group, block.threads / group_size);
    Func groups = f.update().rfactor(group, g);

    // Copies are what threads share, so that the sums themselves stay in registers.
    lanes.in(groups).compute_at(block.consumer, block.block).gpu_threads(t);
    lanes.compute_at(lanes.in(groups), t);
    lanes.update().unroll(again);
    groups.in(f).compute_at(block.consumer, block.block).gpu_threads(g);
    groups.compute_at(groups.in(f), g);
    groups.update().unroll(member);

    // The last sum is on a thread, although a loop of one: outside of threads each step would have
    // a barrier.
    f.update().unroll(group);
    if (f.dimensions() == 0) {
        f.compute_at(block.consumer, block.thread);
    } else {
        f.compute_at(block.consumer, block.block).gpu_threads(f.args()[0]);
        f.update().gpu_threads(f.args()[0]);
    }
    return lanes;
}

}  // namespace autoschedule_gpu::kernels
