// Tricky kinds that are small algorithms of several Funcs, each with accesses that differ from
// stage to stage.
#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;

namespace {

// The products of all columns, each computed once and read at (i, j) and (j, i).
bool covariance(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 2, true);
    if (!source) return false;
    const Span columns = source->dims[0].nominal, rows = source->dims[1].nominal;
    const std::vector<Span> square = {columns, columns};
    if (!builder.affordable(square, rows.extent())) return false;
    FuncBuilder products = builder.draft("products", square);
    const RDom r(rows.lo, rows.extent(), "r");
    const auto column = [&](int dim) {
        const Coordinate row = FuncBuilder::free(r, rows);
        return whole(products.read(*source, {products.at(dim), row})) % 32;
    };
    products.func()(products.vars()) = 0;
    products.func()(products.vars()) += column(0) * column(1);
    Value &sums = builder.finish(products, 1024.0 * rows.extent());
    FuncBuilder draft = builder.draft("covariance", square);
    const Expr turned = draft.read_raw(sums, {draft.at(1), draft.at(0)});
    const Expr here = draft.read_raw(sums, draft.in_place());
    builder.define(draft, {(here + turned) / 2, sums.magnitude, true});
    return true;
}

// A coarse grid over space and value that data fill, and that is read again at the data's place.
bool grid_by_data(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 2, true);
    if (!source) return false;
    const std::vector<Span> nominal = builder.nominal_of(*source);
    const int cell = builder.pick({4, 8});
    const Span levels{0, builder.pick({3, 8})};
    const auto level = [&](const Expr &value) {
        return Halide::clamp(value, levels.lo, levels.hi);
    };
    std::vector<Span> cells;
    for (const Span span : nominal) {
        cells.push_back({floor_div(span.lo, cell), floor_div(span.hi, cell)});
    }
    cells.push_back(levels);
    FuncBuilder grid = builder.draft("grid", cells);
    const RDom r({{0, cell}, {0, cell}}, "r");
    std::vector<Coordinate> at;
    for (int d = 0; d < 2; ++d) {
        const Expr pixel = grid.var(d) * cell + r[d];
        at.push_back(
            FuncBuilder::free(Halide::clamp(pixel, nominal[d].lo, nominal[d].hi), nominal[d]));
    }
    std::vector<Expr> place = grid.place();
    place[2] = level(whole(grid.read(*source, at)) / 16);
    grid.func()(grid.vars()) = 0;
    grid.func()(place) += 1;
    grid.touch(2, levels);
    grid.make_hard(2);
    Value &counts = builder.finish(grid, cell * cell);
    FuncBuilder draft = builder.draft("of_grid", nominal);
    const Expr here = whole(draft.read(*source, draft.in_place())) / 16;
    const auto sample = [&](int offset) {
        const Coordinate x{draft.var(0) / cell, 0, {0, 0}, 1, cell};
        const Coordinate y{draft.var(1) / cell, 1, {0, 0}, 1, cell};
        return draft.read_raw(counts, {x, y, FuncBuilder::free(level(here + offset), levels)});
    };
    builder.define(draft, {sample(0) * 2 + sample(1), 3 * counts.magnitude, true});
    return true;
}

// Another formula at each parity of the coordinates.
bool mosaic(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source || source->magnitude > 1e6) return false;
    FuncBuilder draft = builder.draft("mosaic", builder.nominal_of(*source));
    Term term;
    const auto tap = [&](int dx, int dy) {
        std::vector<Coordinate> at = draft.in_place();
        at[0] = draft.at(0, dx);
        at[1] = draft.at(1, dy);
        term = draft.read(*source, at);
        return term.expr;
    };
    const Expr beside = tap(-1, 0) + tap(1, 0), above = tap(0, -1) + tap(0, 1), here = tap(0, 0);
    const Expr even_x = draft.var(0) % 2 == 0, even_y = draft.var(1) % 2 == 0;
    builder.define(draft, {Halide::select(even_x && even_y, here, even_x, beside, even_y, above,
                                          beside + above),
                           4 * term.magnitude, false});
    return true;
}

// The median of three by three, of comparisons alone.
bool sorted_window(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("median", builder.nominal_of(*source));
    std::vector<Expr> taps;
    Term term;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            std::vector<Coordinate> at = draft.in_place();
            at[0] = draft.at(0, dx);
            at[1] = draft.at(1, dy);
            term = draft.read(*source, at);
            taps.push_back(term.expr);
        }
    }
    // Five rounds find the five least of nine.
    for (size_t round = 0; round < 5; ++round) {
        for (size_t i = round; i + 1 < taps.size(); ++i) {
            const Expr least = Halide::min(taps[round], taps[i + 1]);
            taps[i + 1] = Halide::max(taps[round], taps[i + 1]);
            taps[round] = least;
        }
    }
    builder.define(draft, {taps[4], term.magnitude, term.exact});
    return true;
}

// Generations of a cellular automaton.
bool generations(PipelineBuilder &builder) {
    Value *value = builder.choose(2, 2, true);
    if (!value) return false;
    const int count = builder.pick({2, 4, 7});
    for (int generation = 0; generation < count; ++generation) {
        FuncBuilder draft = builder.draft("life", builder.nominal_of(*value));
        const auto alive = [&](int dx, int dy) {
            return whole(draft.read(*value, {draft.at(0, dx), draft.at(1, dy)})) % 2;
        };
        Expr neighbours = 0;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if (dx != 0 || dy != 0) neighbours += alive(dx, dy);
            }
        }
        draft.func()(draft.vars()) =
            cast<uint8_t>(neighbours == 3 || (neighbours == 2 && alive(0, 0) == 1));
        value = &builder.finish(draft, 1);
    }
    return true;
}

constexpr Kind kTrickyAlgorithms[] = {
    {"covariance", 2, covariance},       {"grid_by_data", 2, grid_by_data}, {"mosaic", 2, mosaic},
    {"sorted_window", 1, sorted_window}, {"generations", 1, generations},
};

}  // namespace

std::span<const Kind> tricky_algorithm_kinds() {
    return kTrickyAlgorithms;
}

}  // namespace autoschedule_gpu::random_pipelines
