#include "scheduler/search/dependences.h"

namespace autoschedule_gpu {

Dependences::Dependences(const Dag &dag) {
    const Set none((dag.funcs.size() + 63) / 64);
    before_.assign(dag.funcs.size(), none);
    with_.assign(dag.funcs.size(), none);
    for (size_t f = 0; f < dag.funcs.size(); ++f) {  // producers come first
        add(with_[f], FuncId(f));
        for (const StageId stage : dag.funcs[f].stages) {
            for (const EdgeId edge : dag.stage(stage).edges) {
                const FuncId producer = dag.edge(edge).producer;
                if (producer == FuncId(f)) continue;
                add(before_[f], producer);
                add_all(before_[f], before_[producer.index()]);
            }
        }
    }
}

bool Dependences::depend(FuncId one, FuncId other) const {
    return one == other || contains(before_[one.index()], other) ||
           contains(before_[other.index()], one);
}

void Dependences::join(FuncId one, FuncId other) {
    Set together = with_[one.index()], before = before_[one.index()];
    add_all(together, with_[other.index()]);
    add_all(before, before_[other.index()]);
    for (size_t f = 0; f < before_.size(); ++f) {
        if (contains(together, FuncId(f))) {
            with_[f] = together;
            before_[f] = before;
        } else if (meet(before_[f], together)) {
            add_all(before_[f], together);
            add_all(before_[f], before);
        }
    }
}

bool Dependences::contains(const Set &set, FuncId func) {
    return (set[func.index() / 64] >> (func.index() % 64) & 1) != 0;
}

void Dependences::add(Set &set, FuncId func) {
    set[func.index() / 64] |= uint64_t{1} << (func.index() % 64);
}

void Dependences::add_all(Set &set, const Set &more) {
    for (size_t word = 0; word < set.size(); ++word) set[word] |= more[word];
}

bool Dependences::meet(const Set &one, const Set &other) {
    for (size_t word = 0; word < one.size(); ++word) {
        if ((one[word] & other[word]) != 0) return true;
    }
    return false;
}

}  // namespace autoschedule_gpu
