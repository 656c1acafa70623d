// A file of rows: a JSON array with one object per row. For each kind of row one .cpp file says
// what the fields are, which rows are of one thing and what else a row has to be (json_rows.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

template <typename Row>
struct RowsFile {
    static std::string to_json(const std::vector<Row> &rows);

    // Gives the same rows back. Refused, with the row, the field, what was expected and what was
    // found: a missing, unknown or repeated field, a value of another type or out of its range, and
    // two rows of one thing.
    static Result<std::vector<Row>> parse(std::string_view json);

    // The error of a file begins with its path.
    static Result<std::vector<Row>> read(const std::string &path);
    static Status write(const std::string &path, const std::vector<Row> &rows);
};

}  // namespace autoschedule_gpu
