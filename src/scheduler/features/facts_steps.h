// The steps of facts_of that are about one band of threads or one stage (private to it). Each takes
// the facts that the steps before it have found.
#pragma once

#include <span>

#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

// Finds all of `threads` but its band; and the steps of `stages`, which are those of the band.
// Requires the regions of the block.
void find_threads(const KernelFacts &facts, ThreadFacts &threads, std::span<StageFacts> stages,
                  ExtractionScratch &scratch);

// Counts what the stages evaluate and what they load and store. Requires their threads.
void count_work(const KernelFacts &facts, std::span<StageFacts> stages, ExtractionScratch &scratch);

// Estimates the registers that stages of one band of threads need. Requires what they access.
void estimate_registers(const KernelFacts &facts, std::span<StageFacts> stages);

// Returns how many values of a stage a thread spills, in all its passes. Requires its registers.
double estimated_spills(const KernelFacts &facts, const StageFacts &stage);

}  // namespace autoschedule_gpu
