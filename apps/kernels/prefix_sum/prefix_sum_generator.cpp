// Inclusive prefix sum of a vector of integers: output(x) is the sum of input(0) to input(x).
//
// The algorithm itself is blocked, first reduced and then scanned (after Merrill & Grimshaw 2009),
// because one chain of additions could not be shared out by any schedule. Each scan here is
// s(i) = s(i - 1) + value: in chunks of 16 values, of 16 chunks and of 16 of those, which make a
// tile; of 64 tiles; and of all groups of tiles. Scans begin with 0 and have one more entry than
// values, so that the last is their sum.
//
//   input ─► values ─┬─► chunks ─► rows ─► tiles ──────────────────────────────┬─► output
//                    └─► tile_total ─► groups ─► offsets ──────────────────────┘
#include <Halide.h>

#include <string>
#include <utility>

namespace {

using namespace Halide;

constexpr int kWay = 16;                   // values per chunk, chunks per row, rows per tile
constexpr int kTile = kWay * kWay * kWay;  // values
constexpr int kGroup = 64;                 // tiles

class PrefixSum : public Generator<PrefixSum> {
public:
    GeneratorParam<int> size{"size", 10'000'000, 1, 1 << 30};  // that it is scheduled for
    GeneratorParam<bool> manual{"manual", false};              // use the expert's GPU schedule

    Input<Buffer<int32_t, 1>> input{"input"};
    Output<Buffer<int32_t, 1>> output{"output"};

    void generate() {
        const Expr count = input.dim(0).extent();
        const Expr tiles = (count + kTile - 1) / kTile;
        const Expr groups = (tiles + kGroup - 1) / kGroup;

        // Beyond the end there are zeros, to fill up the last tile.
        const Expr at = c * kWay + i;
        values_(i, c) = select(at < count, input(clamp(at, 0, count - 1)), 0);
        chunks_ = scan("chunks", kWay, [&](Expr k) { return values_(k, c); });
        rows_ = scan("rows", kWay, [&](Expr k) { return chunks_.f(kWay, c * kWay + k); });
        tiles_ = scan("tiles", kWay, [&](Expr k) { return rows_.f(kWay, c * kWay + k); });

        in_tile_ = RDom(0, kWay, 0, kWay * kWay, "in_tile");
        tile_total_(c) = 0;
        tile_total_(c) += values_(in_tile_.x, c * kWay * kWay + in_tile_.y);
        groups_ = scan("groups", kGroup, [&](Expr k) {
            return select(c * kGroup + k < tiles, tile_total_(min(c * kGroup + k, tiles - 1)), 0);
        });
        group_ = RDom(1, groups, "group");
        offsets_(i) = 0;
        offsets_(group_) = offsets_(group_ - 1) + groups_.f(kGroup, group_ - 1);

        const Expr tile = x / kTile;
        output(x) = chunks_.f(x % kWay + 1, x / kWay) +
                    rows_.f(x / kWay % kWay, x / (kWay * kWay)) +
                    tiles_.f(x / (kWay * kWay) % kWay, tile) +
                    groups_.f(tile % kGroup, tile / kGroup) + offsets_(tile / kGroup);

        input.dim(0).set_min(0);
        output.dim(0).set_min(0);
        input.set_estimates({{0, size}});
        output.set_estimates({{0, size}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // f(0, c) = 0, f(k + 1, c) = f(k, c) + value(k).
    struct Scan {
        Func f;
        RDom r;
    };

    template <typename Value>
    Scan scan(const std::string &name, int values, const Value &value) {
        Scan result{Func(name), RDom(1, values, name + "_step")};
        result.f(i, c) = 0;
        result.f(result.r, c) = result.f(result.r - 1, c) + value(result.r - 1);
        return result;
    }

    void schedule_for_cpu() {
        for (Func f : {chunks_.f, rows_.f, tiles_.f, groups_.f, tile_total_}) {
            f.compute_root().parallel(c, 64, TailStrategy::GuardWithIf);
            f.update().parallel(c, 64, TailStrategy::GuardWithIf);
        }
        offsets_.compute_root();
        output.parallel(x, kTile, TailStrategy::GuardWithIf);
    }

    // Four kernels, of which the first and the last read the input: to write and read what the
    // first one knows already would take longer than to read the input again.
    void schedule_by_hand() {
        // A tile lies in shared memory, with room between chunks so that the threads that scan
        // them, one chunk each, meet in no bank; it comes and goes in rows of 256 values.
        Var xo{"xo"}, xi{"xi"}, xt{"xt"}, at{"at"}, ao{"ao"}, ai{"ai"};
        output.split(x, xo, xi, kTile, TailStrategy::GuardWithIf)
            .split(xi, xi, xt, kThreads)
            .reorder(xi, xt, xo)
            .unroll(xi, 4)
            .gpu_blocks(xo)
            .gpu_threads(xt);
        values_.in(chunks_.f)
            .compute_at(output, xo)
            .bound_extent(i, kWay)
            .bound_extent(c, kThreads)
            .align_storage(i, kWay + 1)
            .fuse(i, c, at)
            .split(at, ao, ai, kThreads, TailStrategy::GuardWithIf)
            .reorder(ao, ai)
            .gpu_threads(ai);
        int scans = kThreads;
        for (const Scan &level : {chunks_, rows_, tiles_}) {
            Func f = level.f;
            f.compute_at(output, xo)
                .bound_extent(i, kWay + 1)
                .bound_extent(c, scans)
                .unroll(i)
                .gpu_threads(c);
            f.update().unroll(level.r).gpu_threads(c);
            scans /= kWay;
        }

        total_by_hand();

        // A group's scan is one thread's work, and so is that of all groups: the loop `once` has
        // one step.
        Var gi{"gi"}, go{"go"};
        Func groups = groups_.f.in();
        groups.compute_root().split(c, go, gi, 1).gpu_blocks(go).gpu_threads(i);
        groups_.f.compute_at(groups, go).gpu_threads(c);
        groups_.f.update().unroll(groups_.r, 8).gpu_threads(c);
        Var io{"io"}, it{"it"};
        RVar once{"once"}, rest{"rest"}, block{"block"}, thread{"thread"};
        offsets_.compute_root().gpu_tile(i, io, it, kThreads, TailStrategy::GuardWithIf);
        offsets_.update()
            .allow_race_conditions()
            .split(group_, once, rest, group_.x.extent())
            .split(once, block, thread, 1)
            .gpu_blocks(block)
            .gpu_threads(thread);
    }

    // The sum of a tile: 256 threads have 16 values each, 16 add up those, and one the rest.
    void total_by_hand() {
        Var t{"t"}, g{"g"}, co{"co"}, ct{"ct"};
        RVar step{"step"}, group{"group"}, member{"member"};
        Func total = tile_total_.in();
        total.compute_root().split(c, co, ct, 1).gpu_blocks(co).gpu_threads(ct);
        tile_total_.compute_at(total, ct);
        RVar flat{"flat"}, lane{"lane"};
        tile_total_.update().fuse(in_tile_.x, in_tile_.y, flat).split(flat, step, lane, kThreads);
        Func lanes = tile_total_.update().rfactor(lane, t);
        tile_total_.update().split(lane, group, member, kWay);
        Func groups = tile_total_.update().rfactor(group, g);
        tile_total_.update().unroll(group);
        lanes.in(groups).compute_at(total, co).gpu_threads(t);
        lanes.compute_at(lanes.in(groups), t).update().unroll(step);
        groups.in(tile_total_).compute_at(total, co).gpu_threads(g);
        groups.compute_at(groups.in(tile_total_), g).update().unroll(member);
    }

    static constexpr int kThreads = kWay * kWay;  // of a block, by hand

    Var x{"x"}, i{"i"}, c{"c"};
    RDom in_tile_, group_;
    Func values_{"values"}, tile_total_{"tile_total"}, offsets_{"offsets"};
    Scan chunks_, rows_, tiles_, groups_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(PrefixSum, prefix_sum)
