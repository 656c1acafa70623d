// Records of the tuner as tables for a terminal.
#pragma once

#include <span>

#include "lab/records/best_records.h"
#include "lab/records/known_draw.h"
#include "lab/records/tuning_record.h"
#include "present/table.h"

namespace autoschedule_gpu {

// Without records; and one of them added, below what is of the same pipeline at the same size on
// the same device.
Table record_table(const std::string &title);
void add_record(Table &table, const TuningRecord &record);

// The same of a draw that led to no code: nothing says when that was.
void add_failed_draw(Table &table, const FailedDraw &draw);

// Also shows the gain over the schedule that needed no tuning, if that was measured.
Table champion_table(std::span<const Champion> champions);

// Returns a text like "3 measured, 2 failed (1 crash, 1 timeout)".
std::string counts_text(const RecordCounts &counts);

}  // namespace autoschedule_gpu
