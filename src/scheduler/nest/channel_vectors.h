// Which Funcs in the registers of a thread are vectors: those with two or four points along a
// dimension, whatever the sizes of images, that lie side by side in what is read for them. These
// are a cell's value and weight, the numbers of a complex Fourier transform, or a transform's
// coefficients. One instruction loads all of them (up to 16 bytes, as those of
// scheduler/nest/vectors.h). So does one store them, of a Func at root, whose threads compute all
// points along its innermost dimension.
//
// What is computed in the block and loaded so lies with that dimension innermost in shared memory;
// its own threads store one at once, where each has all points along it.
//
// A Func in the registers is stored with that dimension innermost. What reads it may be a vector
// along another (scheduler/nest/vectors.h) where the target has vectors of any width
// (Dag::wide_vectors).
//
// Halide must know when it compiles that what is read or stored begins at a multiple of the
// vector's size. So it is promised how much there is along that dimension, which is the innermost
// one in memory (core/dag/storage_order.h): all strides are multiples of that. This goes beyond the
// papers.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

struct ChannelVector {
    size_t loop = 0;            // of the stage; all of its iterations are one vector
    std::vector<FuncId> reads;  // at root or in the block, one of each loaded at once; ascending
    // Whether the stage stores one at once: the kernel's own, or one in the block.
    bool is_stored = false;
};

// That of a stage that is computed in the kernel's threads or block, or of its own; none if nothing
// is to be had by one, or the kernel has them switched off.
std::optional<ChannelVector> channel_vector(const Dag &dag, const Kernel &kernel, StageId stage);

// The dimension of a Func that would be innermost in shared memory if the Func were computed in the
// kernel's block, since threads load all of it at once; none: the first.
std::optional<size_t> channels_if_in_block(const Dag &dag, const Kernel &kernel, FuncId func);
// The same of a Func that is; none of others, or where rows of it are padded.
std::optional<size_t> channels_in_block(const Dag &dag, const Kernel &kernel, FuncId func);

// Whether some stage of the kernel could have one, be they switched off.
bool may_have_channel_vectors(const Dag &dag, const Kernel &kernel);

// Whether a stage that reads by that matrix reads neighbours along that dimension alone, from one
// iteration of the loop to the next.
bool goes_along(const AccessMatrix &access, size_t loop, size_t dim);

// Whether some stage of the kernel has one.
bool has_channel_vectors(const Dag &dag, const Kernel &kernel);

// Funcs, other than wrappers, that are inlined in the kernel and would have one in its threads;
// descending.
std::vector<FuncId> inlined_channels(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
