// The tables of a file of tuning records, and how a file comes to have them. README.md lists their
// columns.
#pragma once

#include "lab/records/database.h"

namespace autoschedule_gpu {

// Opens a file and sees to its schema. An empty file gets the tables, and one of an earlier version
// those of this one, with read_write. Refused: another application's file, one of a newer version,
// and with read_only one of an earlier version.
Result<Database> open_records(const std::string &path, StoreAccess access);

}  // namespace autoschedule_gpu
