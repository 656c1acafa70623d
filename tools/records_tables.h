// Records of the tuner as tables for a terminal.
#pragma once

#include <span>

#include "compare/table.h"
#include "records/champions.h"
#include "records/tuning_record.h"

namespace autoschedule_gpu {

TableLine record_line(const TuningRecord &record);
Table record_table(std::vector<TableLine> lines, const std::string &title);

// With the gain over what needed no tuning, where that was measured.
Table champion_table(std::span<const Champion> champions);

// "3 measured, 2 failed (1 crash, 1 timeout)"
std::string counts_text(const RecordCounts &counts);

}  // namespace autoschedule_gpu
