#include "benchmark/growing_dags.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/support/random.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu::example {

namespace {

constexpr int64_t kWidth = 1536, kHeight = 1024;

// Adds Funcs until there are as many stages as wanted; the last one is the output.
class Growth {
public:
    explicit Growth(int stages, int64_t width = kWidth, int64_t height = kHeight)
        : left_(stages), width_(width), height_(height) {}

    int left() const { return left_; }

    FuncId func(const char *name, const std::vector<std::string> &dims) {
        const std::string numbered = name + std::to_string(counter_++);
        if (--left_ > 0) return builder.func(numbered, dims);
        return builder.output(numbered, {{"x", 0, width_ - 1}, {"y", 0, height_ - 1}});
    }

    FuncId image(const char *name) { return func(name, {"x", "y"}); }

    void add_update() { --left_; }

    DagBuilder builder;

private:
    int left_;
    int64_t width_, height_;
    int counter_ = 0;
};

class Pyramids {
public:
    explicit Pyramids(int stages) : growth_(stages) {}

    Dag build() {
        FuncId last = b_.input("in", {"x", "y"});
        while (growth_.left() > 0) {
            const int levels = std::min(kMostLevels, (growth_.left() + 8) / 9);
            last = levels > 1 ? pyramid(last, levels) : stencil(last);
        }
        return b_.build();
    }

private:
    static constexpr int kMostLevels = 8;
    static constexpr int64_t kCopies = 8;

    FuncId stencil(FuncId in) {
        const FuncId out = growth_.image("stencil");
        b_.reads(out, in, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(out, OpKind::add, 8);
        return out;
    }

    FuncId pyramid(FuncId in, int levels) {
        const FuncId edge = growth_.image("edge");
        b_.reads(edge, in, {clamped(0, 0, 0, 0, kWidth - 1), clamped(1, 0, 0, 0, kHeight - 1)});
        // The lowest level of the copies is the image itself, whose values are mapped where they
        // are used.
        std::vector<FuncId> copies{edge}, image{edge};
        for (int level = 1; level < levels; ++level) {
            copies.push_back(smaller(copies.back(), level > 1 ? kThreeDims : kMapped));
            image.push_back(smaller(image.back(), kTwoDims));
        }
        FuncId result = image.back();
        for (int level = levels - 1; level-- > 0;) {
            const FuncId laplacian =
                larger(copies[level + 1], copies[level], level > 0 ? kThreeDims : kMapped);
            const FuncId gathered = growth_.image("gathered");
            b_.reads(gathered, laplacian, {at(0), at(1), anywhere(0, kCopies - 1)}, 2);
            b_.reads(gathered, image[level], {at(0), at(1)}).ops(gathered, OpKind::mul, 2);
            result = larger(result, gathered, kTwoDims);
        }
        return result;
    }

    // `mapped`: from the image to its copies.
    enum Dims { kTwoDims, kThreeDims, kMapped };

    static std::vector<std::string> names(Dims dims) {
        return dims == kTwoDims ? std::vector<std::string>{"x", "y"}
                                : std::vector<std::string>{"x", "y", "k"};
    }

    static std::vector<Index> access(Index x, Index y, bool copies) {
        std::vector<Index> index{std::move(x), std::move(y)};
        if (copies) index.push_back(at(2));
        return index;
    }

    // Half as many points along x, then along y, four of them averaged for each.
    FuncId smaller(FuncId in, Dims dims) {
        const FuncId along_x = growth_.func("down_x", names(dims));
        b_.reads(along_x, in, access(times(0, 2, -1, 2), at(1), dims == kThreeDims), 4);
        b_.ops(along_x, OpKind::mul, 4).ops(along_x, OpKind::add, 3);
        if (dims == kMapped) b_.ops(along_x, OpKind::transcendental, 4);
        const FuncId both = growth_.func("down", names(dims));
        b_.reads(both, along_x, access(at(0), times(1, 2, -1, 2), dims != kTwoDims), 4);
        b_.ops(both, OpKind::mul, 4).ops(both, OpKind::add, 3);
        return both;
    }

    // Twice as many points, interpolated along x, then along y and combined with `other`.
    FuncId larger(FuncId in, FuncId other, Dims dims) {
        const FuncId along_x = growth_.func("up_x", names(dims));
        b_.reads(along_x, in, access(half(0, 0, 1), at(1), dims != kTwoDims), 2);
        b_.ops(along_x, OpKind::mul, 2).ops(along_x, OpKind::add, 1);
        const FuncId both = growth_.func("up", names(dims));
        b_.reads(both, along_x, access(at(0), half(1, 0, 1), dims != kTwoDims), 2);
        b_.reads(both, other, access(at(0), at(1), dims == kThreeDims));
        b_.ops(both, OpKind::mul, 2).ops(both, OpKind::add, 2);
        if (dims == kMapped) b_.ops(both, OpKind::transcendental, 1);
        return both;
    }

    Growth growth_;
    DagBuilder &b_ = growth_.builder;
};

class Siblings {
public:
    explicit Siblings(int stages) : growth_(stages, 256, 128) {}

    Dag build() {
        FuncId last = b_.input("in", {"x", "y"});
        while (growth_.left() > 0) {
            last = growth_.left() > kSiblings ? sum_of_siblings(last) : stencil({last});
        }
        return b_.build();
    }

private:
    static constexpr int kSiblings = 8;

    FuncId sum_of_siblings(FuncId of) {
        std::vector<FuncId> siblings;
        while (siblings.size() < kSiblings) siblings.push_back(stencil({of}));
        return stencil(siblings);
    }

    FuncId stencil(const std::vector<FuncId> &of) {
        const FuncId out = growth_.image("stencil");
        for (const FuncId in : of) b_.reads(out, in, {at(0, -1, 1), at(1, -1, 1)}, 9);
        b_.ops(out, OpKind::add, 9 * static_cast<double>(of.size()));
        return out;
    }

    Growth growth_;
    DagBuilder &b_ = growth_.builder;
};

class RandomPipeline {
public:
    RandomPipeline(uint64_t seed, int stages) : random_(Random(seed)), growth_(stages) {}

    Dag build() {
        add(b_.input("in", {"x", "y"}));
        while (growth_.left() > 1) add(internal());
        const FuncId out = growth_.image("out");
        for (FuncId func : std::vector<FuncId>(unread_)) read(b_.pure(out), 0, func);
        return b_.build();
    }

private:
    // So many Funcs that nobody reads yet make the pipeline wide enough.
    static constexpr size_t kMostUnread = 5;
    static constexpr size_t kLatest = 8;

    bool chance(uint64_t percent) { return random_.below(100) < percent; }

    void add(FuncId func) {
        funcs_.push_back(func);
        unread_.push_back(func);
    }

    FuncId internal() {
        const bool sums = growth_.left() > 2 && chance(10);
        const FuncId func = growth_.image("f");
        const StageId reader = sums ? add_sum(func) : b_.pure(func);
        const int x = sums ? 1 : 0;
        const FuncId first = chance(70) ? unread() : latest();
        read(reader, x, first);
        const bool wide = unread_.size() > kMostUnread;
        const FuncId second = wide ? unread() : latest();
        if (second != first && (wide || chance(40))) read(reader, x, second);
        b_.ops(reader, OpKind::add, static_cast<double>(random_.between(1, 20)));
        if (chance(20)) b_.ops(reader, OpKind::transcendental, 2);
        return func;
    }

    // func(x, y) += ... for r in -2..2
    StageId add_sum(FuncId func) {
        growth_.add_update();
        const StageId update = b_.update(
            func, {b_.reduction("r", -2, 2), b_.over(0, "x"), b_.over(1, "y")}, {at(1), at(2)});
        b_.reads(update, func, {at(1), at(2)});
        return update;
    }

    FuncId unread() { return unread_.empty() ? latest() : unread_[random_.below(unread_.size())]; }

    FuncId latest() {
        const size_t among = std::min(kLatest, funcs_.size());
        return funcs_[funcs_.size() - 1 - random_.below(among)];
    }

    // `x`: the number of the reader's loop over x. A reduction loop before it is added to x.
    void read(StageId reader, int x, FuncId producer) {
        std::erase(unread_, producer);
        const Index along_x = x > 0 ? sum(0, x) : at(x), along_y = at(x + 1);
        const int64_t halo = random_.between(1, 2);
        const int points = static_cast<int>(2 * halo + 1);
        switch (random_.below(x > 0 ? 2 : 8)) {
            case 0:
                b_.reads(reader, producer, {along_x, at(x + 1, -halo, halo)}, points);
                return;
            case 1:
                b_.reads(reader, producer, {along_x, along_y});
                return;
            case 2:
                b_.reads(reader, producer, {at(x, -halo, halo), along_y}, points);
                return;
            case 3:
                b_.reads(reader, producer,
                         {clamped(x, -halo, halo, 0, kWidth - 1),
                          clamped(x + 1, -halo, halo, 0, kHeight - 1)},
                         points * points);
                return;
            case 4:
                b_.reads(reader, producer, {at(x), anywhere(0, kHeight - 1)});
                return;
            default:
                b_.reads(reader, producer, {at(x, -halo, halo), at(x + 1, -halo, halo)},
                         points * points);
        }
    }

    Random random_;
    Growth growth_;
    DagBuilder &b_ = growth_.builder;
    std::vector<FuncId> funcs_, unread_;
};

}  // namespace

Dag chain(int stages) {
    return stencil_chain(stages, kWidth, kHeight);
}

Dag pyramids(int stages) {
    return Pyramids(stages).build();
}

Dag siblings(int stages) {
    return Siblings(stages).build();
}

Dag random_pipeline(uint64_t seed, int stages) {
    return RandomPipeline(seed, stages).build();
}

}  // namespace autoschedule_gpu::example
