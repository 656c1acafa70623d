#include "scheduler/schedule/kernel_keys.h"

#include <map>
#include <set>
#include <utility>

#include "core/support/hash.h"
#include "scheduler/nest/launch.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

// Of a Func that a kernel reads and does not compute, what matters to it.
bool is_about_memory(DirectiveOp op) {
    return op == DirectiveOp::in || op == DirectiveOp::store_in ||
           op == DirectiveOp::align_storage || op == DirectiveOp::reorder_storage ||
           op == DirectiveOp::bound_extent || op == DirectiveOp::bound_storage;
}

// Numbers of Funcs as Halide counts them, but for wrappers, which go by their order in the kernel:
// how many others there are does not matter.
class Numbers {
public:
    explicit Numbers(const Dag &dag) {
        for (const Func &func : dag.funcs) {
            if (!func.wraps.valid()) fixed_.insert(func.halide_index);
        }
    }

    int of(int number) {
        if (number < 0 || fixed_.contains(number)) return number;
        const auto next = kMaxFuncs + static_cast<int>(wrappers_.size());
        return wrappers_.emplace(number, next).first->second;
    }

private:
    std::set<int> fixed_;
    std::map<int, int> wrappers_;
};

class KeyOf {
public:
    KeyOf(const Dag &dag, const Kernel &kernel) : dag_(dag), kernel_(kernel), numbers_(dag) {
        compute(dag.stage(kernel.stage).func);
        for (const Member &member : kernel.members) compute(member.func);
        for (const FuncId func : kernel.inlined) read_by(func);
    }

    uint64_t run(const Schedule &schedule) {
        Hasher hasher;
        for (const Dimension &dim : dag_.func_of(kernel_.stage).dims) {
            hasher.add(static_cast<uint64_t>(dim.estimate.min));
            hasher.add(static_cast<uint64_t>(dim.estimate.max)).add(dim.constant ? 1 : 0);
        }
        for (const FuncId func : kernel_.inlined) {
            // An inlined wrapper is none.
            if (dag_.func(func).wraps.valid()) continue;
            hasher.add(static_cast<uint64_t>(dag_.func(func).halide_index));
        }
        return hasher.add(to_json(said_of_it(schedule), 0)).value();
    }

private:
    void compute(FuncId func) {
        computed_.insert(dag_.func(func).halide_index);
        read_by(func);
    }

    void read_by(FuncId func) {
        for (const StageId stage : dag_.func(func).stages) {
            for (const Load &load : dag_.stage(stage).loads) {
                // Of an inlined wrapper, what that holds is read.
                for (FuncId read = load.producer; read.valid(); read = dag_.func(read).wraps) {
                    read_.insert(dag_.func(read).halide_index);
                }
            }
        }
    }

    Schedule said_of_it(const Schedule &schedule) {
        // Copies that steps read (schedule/write/steps_of_copies.h) are no Funcs of the pipeline.
        for (const Directive &directive : schedule) {
            const bool is_in_it =
                directive.op == DirectiveOp::compute_at && computed_.contains(directive.site_func);
            if (is_in_it) computed_.insert(directive.func);
        }
        Schedule said;
        for (Directive directive : schedule) {
            const bool matters = computed_.contains(directive.func) ||
                                 (read_.contains(directive.func) && is_about_memory(directive.op));
            if (!matters) continue;
            for (int *number : {&directive.func, &directive.site_func, &directive.wrapped_func,
                                &directive.reader_func, &directive.made_func}) {
                *number = numbers_.of(*number);
            }
            said.push_back(std::move(directive));
        }
        return said;
    }

    const Dag &dag_;
    const Kernel &kernel_;
    Numbers numbers_;
    std::set<int> computed_, read_;
};

}  // namespace

std::vector<uint64_t> kernel_keys(const Dag &dag, const Nest &nest) {
    const Schedule schedule = directives(dag, nest);
    std::vector<uint64_t> alone;
    for (const KernelPtr &kernel : nest.kernels) alone.push_back(KeyOf(dag, *kernel).run(schedule));
    std::vector<uint64_t> keys = alone;
    for (const std::vector<size_t> &launch : launches(nest)) {
        if (launch.size() < 2) continue;
        Hasher all;
        for (const size_t k : launch) all.add(alone[k]);
        for (const size_t k : launch) keys[k] = Hasher().add(all.value()).add(alone[k]).value();
    }
    return keys;
}

}  // namespace autoschedule_gpu
