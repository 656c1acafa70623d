// The pipeline as a graph whose boxes are kernels: who computes what others read.
#pragma once

#include "compare/explain/explained.h"
#include "present/graph.h"

namespace autoschedule_gpu {

// The place of a kernel on the page: "kernel-3".
std::string kernel_id(size_t index);

// Inputs, kernels in the order of launch, and arrows for the arrays between them, the thicker the
// more bytes are read. Where it is not known what kernels move, arrows follow from what Funcs read.
Graph kernel_graph(const Explained &schedule);

}  // namespace autoschedule_gpu
