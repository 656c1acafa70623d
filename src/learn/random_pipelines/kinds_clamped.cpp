// Kinds whose reads are kept within ends that are no edges of what they read: numbers, Params or
// the sizes of an image, at both sides or at one, some points inside or beyond. At other sizes, or
// for a part of the picture, they ask for other regions than a boundary that repeats the edge does.
#include <algorithm>
#include <functional>

#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::Expr;

namespace {

// Between which coordinates reads along one dimension are kept. An end that is not defined keeps
// nothing back.
struct Ends {
    Expr first, last;
    Span values;  // of both, at the estimated size
};

enum Sides : int { kBoth, kFirst, kLast };

// The end that is at this coordinate at the estimated size.
using End = std::function<Expr(int coordinate)>;

// Draws ends about where the picture ends, at both sides or at one. Each keeps back some of the
// picture, or lets it all through.
Ends draw_ends(PipelineBuilder &builder, Span picture, const End &first, const End &last) {
    const int sides = builder.pick({kBoth, kBoth, kBoth, kFirst, kLast});
    Span values = picture;
    if (sides != kLast) values.lo += builder.pick({0, 0, 1, 4});
    if (sides != kFirst) values.hi += builder.pick({0, 0, -1, -6, 9});
    if (values.lo > std::min(picture.hi, values.hi)) values = picture;
    if (sides != kBoth) ++builder.features["clamped_at_one_side"];
    if (values.hi > picture.hi) {
        ++builder.features["clamped_beyond"];
    } else if (values != picture) {
        ++builder.features["clamped_inside"];
    }
    Ends ends{{}, {}, values};
    if (sides != kLast) ends.first = first(values.lo);
    if (sides != kFirst) ends.last = last(values.hi);
    return ends;
}

Ends ends_at_numbers(PipelineBuilder &builder, Span picture) {
    const End number = [](int coordinate) { return Expr(coordinate); };
    return draw_ends(builder, picture, number, number);
}

// Of an image that does not begin at 0, or of which that is not promised, the first is its least
// coordinate.
Ends ends_at_sizes(PipelineBuilder &builder, const InputImage &image, int dim) {
    Halide::ImageParam param = image.param;
    const Span values = image.region[dim];
    if (values.lo != 0 || builder.chance(60)) {
        return {param.dim(dim).min(), param.dim(dim).max(), values};
    }
    param.dim(dim).set_min(0);
    return {0, param.dim(dim).extent() - 1, values};
}

// The coordinate x_dim + offset, kept between the ends.
Coordinate keep_between(const Ends &ends, Span picture, const FuncBuilder &draft, int dim,
                        int offset) {
    Coordinate at = draft.at(dim, offset);
    if (ends.first.defined()) at.index = Halide::max(at.index, ends.first);
    if (ends.last.defined()) at.index = Halide::min(at.index, ends.last);
    const bool at_both = ends.first.defined() && ends.last.defined();
    // Then it may be asked for anything. Else it is read where the source is.
    if (at_both && picture.contains(ends.values)) return FuncBuilder::free(at.index, ends.values);
    return at;
}

// A stencil, for which tiles of the value overlap.
void read_around(PipelineBuilder &builder, Value &value) {
    FuncBuilder draft = builder.draft("around", builder.nominal_of(value));
    const int dim = static_cast<int>(builder.random().below(std::min(2, value.rank())));
    std::vector<Coordinate> before = draft.in_place(), behind = before;
    before[dim] = draft.at(dim, -1);
    behind[dim] = draft.at(dim, 2);
    const Term first = draft.read(value, before);
    builder.define(draft, builder.combine(first, draft.read(value, behind)));
}

// Draws the ends along one dimension of the draft.
using DrawEnds = std::function<Ends(FuncBuilder &draft, int dim)>;

// Reads the source, or a Func that reads it by points, within ends that are drawn for each
// dimension.
bool define_clamped(PipelineBuilder &builder, Value &source, const DrawEnds &draw) {
    Value &read = builder.chance(40) ? stage_before(builder, source) : source;
    FuncBuilder draft = builder.draft("clamped", builder.nominal_of(read));
    std::vector<Ends> ends;
    for (int d = 0; d < draft.rank(); ++d) ends.push_back(draw(draft, d));
    const auto tap = [&](int offset) {
        std::vector<Coordinate> at;
        for (int d = 0; d < draft.rank(); ++d) {
            at.push_back(keep_between(ends[d], draft.nominal(d), draft, d, d < 2 ? offset : 0));
        }
        return draft.read(read, at);
    };
    Term term = tap(builder.pick({0, 0, 3, -2}));
    if (builder.chance(40)) term = builder.combine(term, tap(1));
    Value &clamped = builder.define(draft, term);
    if (builder.chance(60)) read_around(builder, clamped);
    return true;
}

bool clamped_to_numbers(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    return define_clamped(builder, *source, [&](FuncBuilder &draft, int dim) {
        return ends_at_numbers(builder, draft.nominal(dim));
    });
}

// Params of the ends, or of the first coordinate behind the last. The first end may be a number.
bool clamped_to_params(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    return define_clamped(builder, *source, [&](FuncBuilder &draft, int dim) {
        const auto param = [&](const char *end, int value) {
            return builder.param<int>(draft.func().name() + end + std::to_string(dim), value);
        };
        const End first = [&](int coordinate) {
            return builder.chance(50) ? Expr(coordinate) : param("_first", coordinate);
        };
        const End last = [&](int coordinate) {
            return builder.chance(50) ? param("_last", coordinate)
                                      : param("_size", coordinate + 1) - 1;
        };
        return draw_ends(builder, draft.nominal(dim), first, last);
    });
}

// The sizes of the image that is read, or of another one.
bool clamped_to_sizes(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const InputImage &image =
        builder.inputs[source->input >= 0 ? static_cast<size_t>(source->input)
                                          : builder.random().below(builder.inputs.size())];
    return define_clamped(builder, *source, [&](FuncBuilder &draft, int dim) {
        const Span picture = draft.nominal(dim);
        const bool is_near = static_cast<size_t>(dim) < image.region.size() &&
                             image.region[dim].lo <= picture.hi &&
                             image.region[dim].hi >= picture.lo;
        return is_near ? ends_at_sizes(builder, image, dim) : ends_at_numbers(builder, picture);
    });
}

constexpr Kind kClampedKinds[] = {
    {"clamped_to_numbers", 30, clamped_to_numbers},
    {"clamped_to_params", 30, clamped_to_params},
    {"clamped_to_sizes", 25, clamped_to_sizes},
};

}  // namespace

std::span<const Kind> clamped_kinds() {
    return kClampedKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
