#include "scheduler/sizes/same_directives.h"

#include <algorithm>

namespace autoschedule_gpu {
namespace {

// What takes effect only where a promise is kept at run time.
bool is_for_promises(const Directive &directive) {
    return directive.op == DirectiveOp::vectorize_aligned ||
           directive.op == DirectiveOp::vectorize_pixels ||
           directive.op == DirectiveOp::repeat_for_multiples;
}

// What the sizes make no difference to.
Schedule without_sizes(Schedule schedule) {
    std::erase_if(schedule, is_for_promises);
    for (Directive &directive : schedule) directive.most.clear();
    return schedule;
}

// Of a stage at root. One inside a kernel has full tiles where the kernel has them. How often loops
// of reductions run is not known here: they are taken to.
bool runs_in_full_tiles(const Directive &specialize,
                        const std::vector<std::vector<int64_t>> &extents) {
    if (specialize.site_func != specialize.func) return true;
    const std::vector<int64_t> &of = extents[static_cast<size_t>(specialize.func)];
    for (size_t d = 0; d < of.size(); ++d) {
        const int64_t most = specialize.most[d];
        if (of[d] < specialize.least[d] || (most > 0 && of[d] > most)) return false;
    }
    return true;
}

}  // namespace

bool are_same_directives(const Schedule &made, const Schedule &here,
                         const std::vector<std::vector<int64_t>> &extents) {
    if (without_sizes(made) != without_sizes(here)) return false;
    return std::ranges::all_of(made, [&](const Directive &directive) {
        return directive.op != DirectiveOp::specialize || runs_in_full_tiles(directive, extents);
    });
}

}  // namespace autoschedule_gpu
