// The groups of features: each is computed by a function of its own, in GROUP_features.cpp, from
// the facts about a kernel alone.
//
//     KernelFacts ─┬► add_parallelism ─┐
//                  ├► add_occupancy  ──┼► FeatureTable
//                  └► ...            ──┘
//
// A group writes the features that the list (scheduler/features/feature_list.h) has under its name,
// and reads no others: their order makes no difference. Scratch memory holds nothing when a group
// gets it.
#pragma once

#include <span>
#include <string_view>

#include "scheduler/features/extraction_scratch.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

struct FeatureGroup {
    std::string_view name;
    // The table has one row per stage of the facts, in their order; the group's features are zero.
    void (*add)(const KernelFacts &facts, ExtractionScratch &scratch, FeatureTable &table);
};

// Returns all groups.
std::span<const FeatureGroup> feature_groups();

// Blocks, threads, and how many of the device's lanes they use.
void add_parallelism(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// The same of a launch of so many blocks and threads.
void set_grid(const GpuModel &gpu, double blocks, double threads, KernelFeatures &row);
// How much of an SM its resident blocks use.
void add_occupancy(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// The same of a block with so many threads, registers per thread and bytes of shared memory.
void set_occupancy(const GpuModel &gpu, double threads, double registers, double shared_bytes,
                   KernelFeatures &row);
// What the threads of a stage compute.
void add_arithmetic(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// What a stage computes with the Funcs that are inlined into it, whatever its schedule.
void add_algorithm(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// What warps ask of global memory, and what comes from DRAM.
void add_global_memory(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// Arrays of a block, and their banks.
void add_shared_memory(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// What a thread holds in registers, and in arrays.
void add_registers(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// Reductions whose iterations meet in atomic operations.
void add_atomics(const KernelFacts &, ExtractionScratch &, FeatureTable &);
// What a stage reads and writes in all, without what it reads twice.
void add_footprints(const KernelFacts &, ExtractionScratch &, FeatureTable &);

}  // namespace autoschedule_gpu
