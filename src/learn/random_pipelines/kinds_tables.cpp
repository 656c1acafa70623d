// Kinds that read small tables beside what is worth staging in a block: at remainders of a
// coordinate, or along channels of which there is a constant number. A vector then loads from one
// place of the table, behind rows of an odd length.
#include <algorithm>
#include <cmath>

#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

// Of which rows may be vectors still where a stencil has made them shorter.
constexpr int kLongRow = 40;
// Every kind reads within these, whatever is asked for.
constexpr Span kEntries{0, 7};
constexpr int kNoChannels = -1;

// A picture with long rows; null if there is none, or none is found.
Value *choose_picture(PipelineBuilder &builder, int least_rank, int most_rank) {
    for (int attempt = 0; attempt < 4; ++attempt) {
        Value *value = builder.choose(least_rank, most_rank);
        if (!value || value->dims[0].nominal.extent() >= kLongRow) return value;
    }
    return nullptr;
}

// Makes the draft a Func of these values; mostly with an update, so that no schedule inlines it.
Value &define_kept(PipelineBuilder &builder, FuncBuilder &draft, const std::vector<Term> &terms) {
    constexpr int kLeast = 7;
    std::vector<Expr> values;
    double magnitude = kLeast;
    bool exact = true;
    for (const Term &term : terms) {
        values.push_back(term.expr);
        magnitude = std::max(magnitude, term.magnitude);
        exact = exact && term.exact;
    }
    Halide::Func &func = draft.func();
    func(draft.vars()) = Halide::Tuple(values);
    if (builder.chance(60)) {
        for (size_t i = 0; i < values.size(); ++i) {
            const Expr now = values.size() == 1 ? Expr(func(draft.vars()))
                                                : Expr(func(draft.vars())[static_cast<int>(i)]);
            values[i] = Halide::max(now, cast(values[i].type(), kLeast));
        }
        func(draft.vars()) = Halide::Tuple(values);
    }
    return builder.finish(draft, magnitude, exact);
}

// What is costly enough to be staged by those that read neighbours of it. It has the dimensions of
// the source, and that of channels, if it has them.
Value &staged(PipelineBuilder &builder, Value &source, const std::vector<Span> &nominal,
              int channel) {
    FuncBuilder draft = builder.draft("staged", nominal);
    std::vector<Coordinate> at = draft.in_place();
    if (channel != kNoChannels) at.erase(at.begin() + channel);
    Term here = builder.limit(draft.read(source, at), 15000);
    if (channel != kNoChannels) {
        here.expr += cast(here.expr.type(), draft.var(channel) * 5);
        here.magnitude += 20;
    }
    if (here.is_float() && builder.chance(70)) {
        const Expr size = Halide::abs(here.expr);
        draft.func()(draft.vars()) = Halide::sqrt(size) + Halide::exp(size * (-1.0f / 64));
        return builder.finish(draft, std::sqrt(here.magnitude) + 2, false);
    }
    return define_kept(builder, draft, {builder.store(builder.modify(here))});
}

// A Func in the making that sums neighbours along a row of what is staged.
struct Picture {
    FuncBuilder draft;
    int row = 0;
    int channel = kNoChannels;
    Term sum;
};

int draw_taps(PipelineBuilder &builder) {
    return builder.pick({2, 2, 3, 4, 4, 5});
}

void sum_neighbours(Picture &picture, Value &value, int taps) {
    FuncBuilder &draft = picture.draft;
    std::vector<Coordinate> at = draft.in_place();
    const bool same_for_all_channels = value.rank() < draft.rank();
    if (same_for_all_channels) at.erase(at.begin() + picture.channel);
    const int along = same_for_all_channels ? 0 : picture.row;
    picture.sum = draft.read(value, at);
    for (int tap = 1; tap < taps; ++tap) {
        at[along] = draft.at(picture.row, tap);
        const Term next = draft.read(value, at);
        picture.sum.expr += next.expr;
        picture.sum.magnitude += next.magnitude;
    }
    picture.sum.exact = !picture.sum.is_float();
}

Picture without_channels(PipelineBuilder &builder, Value &source) {
    std::vector<Span> nominal = builder.nominal_of(source);
    Value &value = staged(builder, source, nominal, kNoChannels);
    const int taps = draw_taps(builder);
    nominal[0] = shrink(nominal[0], 0, taps - 1);
    Picture picture{builder.draft("tabled", nominal), 0, kNoChannels, {}};
    sum_neighbours(picture, value, taps);
    return picture;
}

// out(c, x, y) or out(x, y, c) of a plane, of which each channel may be staged on its own.
Picture with_channels(PipelineBuilder &builder, Value &plane) {
    const int channel = builder.pick({0, 2}), row = channel == 0 ? 1 : 0;
    std::vector<Span> nominal = builder.nominal_of(plane);
    nominal.insert(nominal.begin() + channel, Span{0, builder.pick({2, 3, 4, 4}) - 1});
    Value &value = builder.chance(40)
                       ? staged(builder, plane, nominal, channel)
                       : staged(builder, plane, builder.nominal_of(plane), kNoChannels);
    const int taps = draw_taps(builder);
    nominal[row] = shrink(nominal[row], 0, taps - 1);
    Picture picture{builder.draft("coloured", nominal), row, channel, {}};
    picture.draft.promise(channel);
    sum_neighbours(picture, value, taps);
    ++builder.features[channel == 0 ? "channels_first" : "channels_last"];
    return picture;
}

// How many entries before this one a table has, about.
Expr table_position(const FuncBuilder &table) {
    Expr position = table.var(0);
    for (int d = 1; d < table.rank(); ++d) position += table.var(d) % 8;
    return position;
}

Term wave_entry(const FuncBuilder &table) {
    const Expr position = cast<float>(table_position(table));
    return {Halide::exp(position * 0.125f) + Halide::sin(position), 16, false};
}

Term number_entry(PipelineBuilder &builder, const FuncBuilder &table) {
    const Expr position = table_position(table);
    return builder.store(
        {(position * 37 + 11) % 251 * ((position + 5) % 13) / 7, 250.0 * 12 / 7, true});
}

std::vector<Span> spans_of(const FuncBuilder &draft) {
    std::vector<Span> spans;
    for (int d = 0; d < draft.rank(); ++d) spans.push_back(draft.nominal(d));
    return spans;
}

// Each entry is a sum of neighbours of a small input.
Value &table_of_sums(PipelineBuilder &builder, FuncBuilder &table) {
    const Span window{0, 3};
    std::vector<Span> read = spans_of(table);
    read[0].hi += window.hi;
    Value &input = builder.add_small_input(read);
    const Halide::RDom r = domain(window);
    std::vector<Coordinate> at = table.in_place();
    at[0] = table.window(0, r, window);
    const Term term = builder.limit(table.read(input, at), 1000);
    table.func()(table.vars()) = zero(term);
    table.func()(table.vars()) += term.expr;
    ++builder.features["table_of_sums"];
    return builder.finish(table, term.magnitude * window.extent(), false);
}

Value &make_table(PipelineBuilder &builder, const std::vector<Span> &spans) {
    FuncBuilder table = builder.draft("table", spans);
    switch (builder.random().below(5)) {
        case 0:
        case 1:
            return define_kept(builder, table, {wave_entry(table)});
        case 2:
            return define_kept(builder, table, {number_entry(builder, table)});
        case 3:
            return table_of_sums(builder, table);
        default: {
            Value &input = builder.add_small_input(spans);
            ++builder.features["table_of_input"];
            const Term entry = builder.modify(table.read(input, table.in_place()));
            return define_kept(builder, table, {builder.store(entry)});
        }
    }
}

Term times_or_plus(PipelineBuilder &builder, const Term &first, const Term &second) {
    Term a = builder.limit(first, 1000), b = builder.limit(second, 1000);
    if (a.is_float() != b.is_float()) {
        if (!a.is_float()) a.expr = cast<float>(a.expr);
        if (!b.is_float()) b.expr = cast<float>(b.expr);
    }
    const bool exact = !a.is_float();
    if (builder.chance(60)) return {a.expr * b.expr, a.magnitude * b.magnitude, exact};
    return {a.expr + b.expr, a.magnitude + b.magnitude, exact};
}

// A Func of one point: a sum of a few numbers.
Value &make_number(PipelineBuilder &builder) {
    const Span summed{0, builder.pick({4, 7, 16}) - 1};
    Value &input = builder.add_small_input({summed});
    FuncBuilder number = builder.draft("number", {});
    const Halide::RDom r = domain(summed);
    const Term term = builder.limit(number.read(input, {FuncBuilder::free(r, summed)}), 1000);
    number.func()() = zero(term);
    number.func()() += term.expr;
    return builder.finish(number, term.magnitude * summed.extent(), false);
}

// Takes the entries of tables to the sum, and defines the picture: mostly as 32 bits, of which a
// thread stores vectors.
void define_picture(PipelineBuilder &builder, Picture &picture, const std::vector<Term> &entries) {
    Term term = picture.sum;
    for (const Term &entry : entries) term = times_or_plus(builder, term, entry);
    if (builder.chance(12)) {
        Value &number = make_number(builder);
        term = times_or_plus(builder, term, picture.draft.read(number, {}));
        ++builder.features["number_beside"];
    }
    if (builder.chance(40)) {
        builder.define(picture.draft, term);
        return;
    }
    const Term kept = builder.limit(term, 100000);
    picture.draft.func()(picture.draft.vars()) = kept.expr;
    builder.finish(picture.draft, kept.magnitude, kept.exact);
}

// Where a table is read for a column.
Coordinate by_remainder(PipelineBuilder &builder, const Expr &x) {
    struct Place {
        const char *name;
        Expr index;
        Span values;
    };
    const Place places[] = {
        {"at_x_mod_2", x % 2, {0, 1}},       {"at_x_mod_4", x % 4, {0, 3}},
        {"at_x_and_3", x & 3, {0, 3}},       {"at_twice_x_mod_4", x % 4 * 2, {0, 6}},
        {"at_x_mod_3", x % 3, {0, 2}},       {"at_next_x_mod_4", (x + 1) % 4, {0, 3}},
        {"at_0_or_4", x / 4 * 4 % 8, {0, 4}}};
    const Place &place = places[builder.pick({0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6})];
    ++builder.features[place.name];
    return FuncBuilder::free(place.index, place.values);
}

bool table_by_remainder(PipelineBuilder &builder) {
    Value *source = choose_picture(builder, 1, 3);
    if (!source) return false;
    Picture picture = without_channels(builder, *source);
    Value &table = make_table(builder, {kEntries});
    const Coordinate at = by_remainder(builder, picture.draft.var(0));
    define_picture(builder, picture, {picture.draft.read(table, {at})});
    return true;
}

// A table of two dimensions, for each row or for every fourth.
bool table_by_column(PipelineBuilder &builder) {
    Value *source = choose_picture(builder, 2, 3);
    if (!source) return false;
    Picture picture = without_channels(builder, *source);
    FuncBuilder &draft = picture.draft;
    const Span columns{0, 3};
    const bool by_row = builder.chance(50);
    ++builder.features[by_row ? "table_of_rows" : "table_of_squares"];
    Value &table = make_table(builder, {columns, by_row ? draft.nominal(1) : columns});
    const Coordinate column = FuncBuilder::free(draft.var(0) % 4, columns);
    const Coordinate row = by_row ? draft.at(1) : FuncBuilder::free(draft.var(1) % 4, columns);
    define_picture(builder, picture, {draft.read(table, {column, row})});
    return true;
}

bool coefficients_of_channels(PipelineBuilder &builder) {
    Value *plane = choose_picture(builder, 2, 2);
    if (!plane) return false;
    Picture picture = with_channels(builder, *plane);
    FuncBuilder &draft = picture.draft;
    const Expr c = draft.var(picture.channel);
    Value &table = make_table(builder, {kEntries});
    const auto read = [&](const Expr &index) {
        return draft.read(table, {FuncBuilder::free(index, kEntries)});
    };
    std::vector<Term> entries;
    switch (builder.random().below(3)) {
        case 0:
            ++builder.features["at_c"];
            entries.push_back(read(c));
            break;
        case 1:
            ++builder.features["at_twice_c"];
            entries.push_back(read(2 * c));
            entries.push_back(read(2 * c + 1));
            break;
        default:
            ++builder.features["at_3_less_c"];
            entries.push_back(read(3 - c));
            break;
    }
    define_picture(builder, picture, entries);
    return true;
}

// A table of floats and integers.
bool table_of_tuples(PipelineBuilder &builder) {
    Value *source = choose_picture(builder, 2, 2);
    if (!source) return false;
    const bool by_channel = builder.chance(50);
    Picture picture =
        by_channel ? with_channels(builder, *source) : without_channels(builder, *source);
    FuncBuilder &draft = picture.draft;
    FuncBuilder table = builder.draft("pairs", {kEntries});
    const Term wave = wave_entry(table);
    const Expr number = (table.var(0) * 37 + 11) % 251;
    const Halide::Type type = builder.chance(50) ? Halide::UInt(8) : Halide::Int(16);
    Value &pairs = define_kept(builder, table, {wave, {cast(type, number), 251, true}});
    const Coordinate at = by_channel ? FuncBuilder::free(draft.var(picture.channel), kEntries)
                                     : FuncBuilder::free(draft.var(0) % 4, Span{0, 3});
    const Term first = draft.read(pairs, {at}, 0), second = draft.read(pairs, {at}, 1);
    define_picture(builder, picture, {first, second});
    return true;
}

constexpr Kind kTableKinds[] = {
    {"table_by_remainder", 140, table_by_remainder},
    {"table_by_column", 90, table_by_column},
    {"coefficients_of_channels", 110, coefficients_of_channels},
    {"table_of_tuples", 70, table_of_tuples},
};

}  // namespace

std::span<const Kind> table_kinds() {
    return kTableKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
