#include "property/random_dag.h"

#include <algorithm>
#include <set>

#include "core/dag/scans.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu::example {

namespace {

class Generator {
public:
    explicit Generator(uint64_t seed) : random_(Random(seed).fork(0x646167)) {}

    Dag generate(int most_funcs) {
        const int inputs = static_cast<int>(random_.between(1, 2));
        for (int i = 0; i < inputs; ++i) add(b_.input(numbered('i'), dims()));
        const int funcs = static_cast<int>(random_.between(1, most_funcs));
        for (int i = 0; i + 1 < funcs; ++i) add_internal();
        add_output("out");
        Dag dag = b_.build();
        find_reads_ahead(dag);
        return dag;
    }

private:
    bool chance(uint64_t percent) { return random_.below(100) < percent; }

    std::vector<std::string> dims() {
        const std::vector<std::string> names = {"x", "y", "c"};
        dims_ = static_cast<size_t>(random_.between(1, 3));
        return {names.begin(), names.begin() + static_cast<long>(dims_)};
    }

    std::string numbered(char letter) { return letter + std::to_string(counter_++); }

    void add(FuncId id) { funcs_.push_back({id, dims_, true}); }

    void add_internal() {
        const std::string name = numbered('f');
        if (chance(8)) return add_output(name);
        const FuncId id = b_.func(name, dims());
        define(id);
        add(id);
        if (chance(4)) b_.on_host(id, "it prints");
    }

    void add_output(const std::string &name) {
        std::vector<Extent> extents;
        const char *names[] = {"x", "y", "c"};
        dims_ = static_cast<size_t>(random_.between(1, 3));
        for (size_t d = 0; d < dims_; ++d) {
            const int64_t sizes[] = {1, 3, 16, 31, 64, 100, 256};
            extents.push_back({names[d], 0, sizes[random_.below(std::size(sizes))] - 1});
        }
        const FuncId id = b_.output(name, extents);
        define(id);
        if (name == "out") read_what_is_left(id);
        add(id);
        funcs_.back().unread = false;
    }

    void define(FuncId id) {
        const int reads = static_cast<int>(random_.between(1, 2));
        std::vector<Loop> loops;
        for (size_t d = 0; d < dims_; ++d)
            loops.push_back(b_.over(int(d), std::string(1, "xyc"[d])));
        for (int i = 0; i < reads; ++i) read(b_.pure(id), loops);
        b_.ops(id, OpKind::add, static_cast<double>(random_.between(0, 30)));
        if (chance(20)) b_.ops(id, OpKind::transcendental, 2);
        if (chance(20)) add_reduction(id);
        if (chance(7)) add_scan(id);
        if (chance(5)) add_scatter(id);
    }

    // f(x, ...) += producer(x + r, ...)
    void add_reduction(FuncId id) {
        const int64_t lengths[] = {1, 3, 8, 33, 100};
        std::vector<Loop> loops = {b_.reduction(
            numbered('r'), 0, lengths[random_.below(std::size(lengths))] - 1, false, chance(80))};
        std::vector<Index> store;
        for (size_t d = 0; d < dims_; ++d) {
            loops.push_back(b_.over(static_cast<int>(d), std::string(1, "xyc"[d])));
            store.push_back(at(static_cast<int>(d) + 1));
        }
        if (chance(50)) {  // Halide's order where the algorithm has the RVar last
            std::rotate(loops.begin(), loops.begin() + 1, loops.end());
            for (size_t d = 0; d < dims_; ++d) store[d] = at(static_cast<int>(d));
        }
        const StageId stage = b_.update(id, loops, store);
        b_.reads(stage, id, store);
        read(stage, loops);
        b_.ops(stage, OpKind::add, 1);
    }

    // f(r, y) += f(r - 1, y), or f(r, y) = f(r - 1, y) + g(r, y)
    void add_scan(FuncId id) {
        std::vector<Loop> loops = {b_.reduction(numbered('s'), 1, 40)};
        std::vector<Index> store = {at(0)}, before = {at(0, -1, -1)};
        for (size_t d = 1; d < dims_; ++d) {
            loops.push_back(b_.over(static_cast<int>(d), std::string(1, "xyc"[d])));
            store.push_back(at(static_cast<int>(d)));
            before.push_back(at(static_cast<int>(d)));
        }
        const StageId stage = b_.update(id, loops, store);
        b_.reads(stage, id, before).ops(stage, OpKind::add, 1);
        const Known &source = funcs_.back();
        if (chance(50) && source.dims == dims_ && !linked_.contains({b_.pure(id), source.id})) {
            b_.reads(stage, source.id, store);
        } else {
            b_.reads(stage, id, store);
        }
        b_.computes_all(id, 0, {0, 255});
    }

    // f(r, y) = g(r, y) for independent r
    void add_scatter(FuncId id) {
        std::vector<Loop> loops = {b_.reduction(numbered('p'), 0, 40, true)};
        std::vector<Index> store = {at(0)};
        for (size_t d = 1; d < dims_; ++d) {
            loops.push_back(b_.over(static_cast<int>(d), std::string(1, "xyc"[d])));
            store.push_back(at(static_cast<int>(d)));
        }
        const StageId stage = b_.update(id, loops, store);
        read(stage, loops);
        b_.computes_all(id, 0, {0, 255});
    }

    void read(StageId stage, const std::vector<Loop> &loops) {
        // Mostly what came last, so that chains get long.
        const size_t back = std::min<size_t>(funcs_.size() - 1, random_.below(4));
        read(stage, loops, funcs_[funcs_.size() - 1 - back]);
    }

    struct Known {
        FuncId id;
        size_t dims;
        bool unread;
    };

    void read(StageId stage, const std::vector<Loop> &loops, Known &producer) {
        if (!linked_.insert({stage, producer.id}).second) return;
        producer.unread = false;
        std::vector<Index> index;
        const bool pointwise = chance(20);
        int sites = 1;
        for (size_t d = 0; d < producer.dims; ++d) {
            index.push_back(coordinate(loops, d, pointwise));
            const Index &i = index.back();
            if (i.form == Index::Form::affine)
                sites *= static_cast<int>(std::min<int64_t>(3, i.hi - i.lo + 1));
        }
        b_.reads(stage, producer.id, std::move(index), sites);
    }

    Index coordinate(const std::vector<Loop> &loops, size_t dim, bool pointwise) {
        if (dim >= loops.size()) return fixed(0);
        const int loop = static_cast<int>(dim);
        if (pointwise) return at(loop);
        const int64_t halo = random_.between(0, 2);
        switch (random_.below(12)) {
            case 0:
                return times(loop, 2, 0, 1);
            case 1:
                return half(loop, 0, halo / 2);
            case 2:
                return clamped(loop, -halo, halo, 0, 63);
            case 3:
                return chance(40) ? anywhere(0, 31) : at(loop);
            case 4:
                return loops.size() > 1 ? sum(loop, (loop + 1) % static_cast<int>(loops.size()))
                                        : at(loop);
            case 5:
                return times(loop, -1, 0, halo);
            case 6:
                return chance(30) ? prefix(0, loop) : fixed(halo);
            default:
                return at(loop, -halo, halo);
        }
    }

    void read_what_is_left(FuncId out) {
        std::vector<Loop> loops;
        for (size_t d = 0; d < dims_; ++d)
            loops.push_back(b_.over(int(d), std::string(1, "xyc"[d])));
        for (Known &known : funcs_) {
            if (known.unread) read(b_.pure(out), loops, known);
        }
    }

    Random random_;
    DagBuilder b_;
    std::vector<Known> funcs_;
    std::set<std::pair<StageId, FuncId>> linked_;
    size_t dims_ = 1;
    int counter_ = 0;
};

}  // namespace

Dag random_dag(uint64_t seed, int most_funcs) {
    return Generator(seed).generate(most_funcs);
}

}  // namespace autoschedule_gpu::example
