#include "halide/apply/sizes_by_binding.h"

#include <map>
#include <utility>
#include <vector>

#include "halide/apply/apply.h"
#include "halide/apply/sized_copy.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;
using Funcs = std::vector<Halide::Func>;

// The first and the second half of what follows the first `skipped`.
std::pair<Funcs, Funcs> halves(const Funcs &funcs, size_t skipped) {
    const auto begin = funcs.begin() + static_cast<std::ptrdiff_t>(skipped);
    const auto middle = begin + (funcs.end() - begin) / 2;
    return {Funcs(begin, middle), Funcs(middle, funcs.end())};
}

// The caller's Func becomes what the copy is: it goes on by that.
void become(const Halide::Func &func, const ir::Function &copy) {
    std::map<ir::FunctionPtr, ir::FunctionPtr> of_wrappers;
    copy.deep_copy(copy.name(), func.function().get_contents(), of_wrappers);
    ir::FunctionPtr itself = func.function().get_contents();
    itself.weaken();
    func.function().substitute_calls({{copy.get_contents(), itself}});
}

}  // namespace

void copy_into_second(const Halide::Pipeline &pipelines, size_t number) {
    const auto [outputs, copies] = halves(pipelines.outputs(), 0);
    const Halide::Pipeline pipeline(outputs);
    const Funcs funcs = all_funcs(pipeline);
    const SizedCopy copied = copy_for_sizes(funcs, pipeline, number);
    for (size_t o = 0; o < outputs.size(); ++o) {
        for (size_t i = 0; i < funcs.size(); ++i) {
            if (funcs[i].name() != outputs[o].name()) continue;
            become(copies[o], copied.funcs[i].function());
        }
    }
}

void compute_as_in_second(const Halide::Pipeline &pipelines) {
    const Funcs all = pipelines.outputs();
    const auto [outputs, copies] = halves(all, 1);
    Halide::Pipeline pipeline(outputs);
    compute_as_in({copies}, outputs, pipeline, all.front().value());
    pipeline.invalidate_cache();
}

}  // namespace autoschedule_gpu
