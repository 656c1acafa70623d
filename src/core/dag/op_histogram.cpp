#include "core/dag/op_histogram.h"

namespace autoschedule_gpu {

std::string_view to_string(OpKind kind) {
    switch (kind) {
#define X(kind_name, doc)   \
    case OpKind::kind_name: \
        return #kind_name;
        AUTOSCHEDULE_GPU_OP_KINDS(X)
#undef X
    }
    return "";
}

}  // namespace autoschedule_gpu
