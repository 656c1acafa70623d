// The greatest value of each row of a matrix and the column in which it is, the last one where
// several have it, as the layer that decides at the end of a classifier. Dimension 0 is the column.
#include <Halide.h>

namespace {

using namespace Halide;

class ArgMax : public Generator<ArgMax> {
public:
    // The limit is what the expert's schedule has shared memory for.
    GeneratorParam<int> columns{"columns", 4096, 1, 1 << 14};  // that it is scheduled for
    GeneratorParam<int> rows{"rows", 4096, 1, 1 << 20};
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    Input<Buffer<float, 2>> input{"input"};                  // x, y
    Output<Func> output{"output", {Float(32), Int(32)}, 1};  // value and column

    void generate() {
        r_ = RDom(input.dim(0).min(), input.dim(0).extent(), "r");
        const Expr value = input(r_, y);
        best_(y) = Tuple(Float(32).min(), input.dim(0).min());
        best_(y) =
            Tuple(max(best_(y)[0], value), select(value < best_(y)[0], best_(y)[1], cast<int>(r_)));
        output(y) = best_(y);

        input.set_estimates({{0, columns}, {0, rows}});
        output.set_estimates({{0, rows}});
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
        output.parallel(y);
        best_.compute_at(output, y);
    }

    // One kernel, a block of 256 threads per row. So that the last of equal values wins, the order
    // of the columns must be kept: each thread takes a few neighbouring columns of each panel, and
    // what they find is compared from left to right, by 16 threads and then by one. Few columns
    // let a warp's loads share lines. What a thread finds in each panel is in shared memory.
    void schedule_by_hand() {
        Var t{"t"}, g{"g"}, p{"p"}, yo{"yo"}, yt{"yt"};
        RVar panel{"panel"}, rest{"rest"}, lane{"lane"}, step{"step"};
        RVar group{"group"}, member{"member"};
        Func row(output);
        row.split(y, yo, yt, 1).gpu_blocks(yo).gpu_threads(yt);

        best_.update()
            .split(r_, panel, rest, kThreads * kShare, TailStrategy::GuardWithIf)
            .split(rest, lane, step, kShare);
        Func lanes = best_.update().rfactor({{panel, p}, {lane, t}});
        best_.update().split(lane, group, member, 16);
        Func groups = best_.update().rfactor({{panel, p}, {group, g}});

        lanes.in(groups).compute_at(row, yo).reorder(p, t).gpu_threads(t);
        // Whole panels need no guards, which the compiler sees from this form, and so loads of 16
        // bytes are possible.
        lanes.compute_at(lanes.in(groups), p);
        const Expr size = input.dim(0).extent();
        const Expr whole = size == size / (kThreads * kShare) * (kThreads * kShare) &&
                           input.dim(0).min() == 0 && input.dim(1).stride() % 4 == 0;
        take(lanes.update().specialize(whole), step, kShare);
        take(lanes.update(), step, 1);
        Func values = input.in(lanes);
        values.compute_at(lanes, RVar("so"))
            .store_in(MemoryType::Register)
            .vectorize(values.args()[0]);
        groups.in(best_).compute_at(row, yo).reorder(p, g).gpu_threads(g);
        groups.compute_at(groups.in(best_), p).update().unroll(member);
        best_.compute_at(row, yt);
        best_.update().unroll(group);
    }

    // Compares so many values per load.
    static void take(Stage update, const RVar &step, int values) {
        RVar so{"so"}, si{"si"};
        update.split(step, so, si, values).unroll(si).unroll(so);
    }

    static constexpr int kThreads = 256;  // of a block, by hand
    static constexpr int kShare = 4;      // columns of a thread and panel, by hand

    Var y{"y"};
    RDom r_;
    Func best_{"best"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ArgMax, arg_max)
