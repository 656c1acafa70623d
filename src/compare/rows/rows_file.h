// A file of rows: a JSON array with one object per row. For each kind of row, one .cpp file says
// what its fields are, which rows are about the same thing, and what else a row must satisfy
// (json_rows.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

template <typename Row>
struct RowsFile {
    static std::string to_json(const std::vector<Row> &rows);

    // Returns the rows that to_json was given. The error names the row, the field, what was
    // expected and what was found. It is returned for a missing, unknown or repeated field, a value
    // of another type or out of range, and two rows about the same thing.
    static Result<std::vector<Row>> parse(std::string_view json);

    // The error begins with the file's path.
    static Result<std::vector<Row>> read(const std::string &path);
    static Status write(const std::string &path, const std::vector<Row> &rows);
};

}  // namespace autoschedule_gpu
