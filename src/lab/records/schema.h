// The tables of a file of tuning records, and how a file gets them. README.md lists their columns.
#pragma once

#include "lab/records/database.h"

namespace autoschedule_gpu {

// Opens a file and brings its schema up to date. With read_write, an empty file gets the tables,
// and a file of an earlier version is migrated. Returns an error for another application's file,
// one of a newer version and, with read_only, one of an earlier version.
Result<Database> open_records(const std::string &path, StoreAccess access);

}  // namespace autoschedule_gpu
