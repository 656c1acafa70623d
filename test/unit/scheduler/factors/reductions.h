// Pipelines of one reduction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unit/dag_builder.h"

namespace autoschedule_gpu::test {

// sum() += in(r)
inline Dag full_sum(int64_t count, Partials partials = Partials::any_order) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), sum = b.output("sum", {});
    const StageId update = b.update(sum, {b.reduction("r$x", 0, count - 1)}, {});
    b.reads(update, sum, {}).reads(update, in, {at(0)}).partials(update, partials);
    return b.build();
}

// rows(y) += in(r, y)
inline Dag row_sums(int64_t width, int64_t height, Partials partials = Partials::any_order) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), rows = b.output("rows", {{"y", 0, height - 1}});
    const StageId update =
        b.update(rows, {b.reduction("r$x", 0, width - 1), b.over(0, "y")}, {at(1)});
    b.reads(update, rows, {at(1)}).reads(update, in, {at(0), at(1)}).partials(update, partials);
    return b.build();
}

// columns(x) += in(x, r)
inline Dag column_sums(int64_t width, int64_t height) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId columns = b.output("columns", {{"x", 0, width - 1}});
    const StageId update =
        b.update(columns, {b.reduction("r$x", 0, height - 1), b.over(0, "x")}, {at(1)});
    b.reads(update, columns, {at(1)}).reads(update, in, {at(1), at(0)}).partials(update);
    return b.build();
}

// cells(x, b) += in(rx + n x, ry), with n times n iterations; a histogram: b is anywhere.
inline Dag sums_of_cells(int64_t cells, int64_t n, bool are_histograms = false) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("cells", {{"x", 0, cells - 1}, {"b", 0, 7}});
    const example::Index bin = are_histograms ? example::anywhere(0, 7) : at(3);
    std::vector<Loop> loops = {b.reduction("r$x", 0, n - 1), b.reduction("r$y", 0, n - 1),
                               b.over(0, "x")};
    if (!are_histograms) loops.push_back(b.over(1, "b"));
    const StageId update = b.update(out, loops, {at(2), bin});
    const example::Index along = {.terms = {{0, 1}, {2, static_cast<int>(n)}}};
    b.reads(update, out, {at(2), bin}).reads(update, in, {along, at(1)}).partials(update);
    return b.build();
}

// clusters(d, cluster of r) += in(d, r), of eight dimensions
inline Dag sums_of_clusters(int64_t count, int64_t clusters) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"d", "i"});
    const FuncId out = b.output("clusters", {{"d", 0, 7}, {"k", 0, clusters - 1}});
    const example::Index cluster = example::anywhere(0, static_cast<int>(clusters) - 1);
    const StageId update =
        b.update(out, {b.reduction("r$x", 0, count - 1), b.over(0, "d")}, {at(1), cluster});
    b.reads(update, out, {at(1), cluster}).reads(update, in, {at(1), at(0)}).partials(update);
    return b.build();
}

// tiles(c) += in(rx + width ry + width height c)
inline Dag sums_of_tiles(int64_t tiles, int width, int height) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), out = b.output("tiles", {{"c", 0, tiles - 1}});
    const StageId update = b.update(
        out, {b.reduction("r$x", 0, width - 1), b.reduction("r$y", 0, height - 1), b.over(0, "c")},
        {at(2)});
    const example::Index along = {.terms = {{0, 1}, {1, width}, {2, width * height}}};
    b.reads(update, out, {at(2)}).reads(update, in, {along}).partials(update);
    return b.build();
}

// total() += in(rx, ry)
inline Dag image_sum(int64_t width, int64_t height) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), total = b.output("total", {});
    const StageId update =
        b.update(total, {b.reduction("r$x", 0, width - 1), b.reduction("r$y", 0, height - 1)}, {});
    b.reads(update, total, {}).reads(update, in, {at(0), at(1)}).partials(update);
    return b.build();
}

// planes(n) += in(rx, ry, .., n)
inline Dag plane_sums(const std::vector<int64_t> &extents, int64_t planes) {
    using example::at;
    example::DagBuilder b;
    std::vector<std::string> names;
    std::vector<Loop> loops;
    std::vector<example::Index> read;
    for (const int64_t extent : extents) {
        names.push_back("d" + std::to_string(names.size()));
        read.push_back(at(static_cast<int>(loops.size())));
        loops.push_back(b.reduction("r$" + names.back(), 0, extent - 1));
    }
    const example::Index plane = at(static_cast<int>(loops.size()));
    names.push_back("n");
    read.push_back(plane);
    loops.push_back(b.over(0, "n"));
    const FuncId in = b.input("in", names), out = b.output("planes", {{"n", 0, planes - 1}});
    const StageId update = b.update(out, loops, {plane});
    b.reads(update, out, {plane}).reads(update, in, read).partials(update);
    return b.build();
}

}  // namespace autoschedule_gpu::test
