// Rows of one application, kept in a comparison's folder from one call to the next: rows/NAME.json,
// and rows/NAME.key with the hash of all that they depend on (fingerprint.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/rows/rows_file.h"
#include "core/support/error.h"
#include "core/support/file.h"
#include "lab/build/failure.h"

namespace autoschedule_gpu {

template <typename Row>
class KeptRows {
public:
    KeptRows(const std::string &folder, const std::string &name, uint64_t key)
        : rows_path_(folder + "/rows/" + name + ".json"),
          key_path_(folder + "/rows/" + name + ".key"),
          key_(std::to_string(key)) {}

    // Nothing where there are none of that key, or where one of them says nothing of its schedule
    // (is_provisional): then all run again, for times are compared of runs beside each other.
    std::optional<std::vector<Row>> load() const {
        const Result<std::string> key = read_file(key_path_);
        if (!key || *key != key_) return std::nullopt;
        Result<std::vector<Row>> rows = RowsFile<Row>::read(rows_path_);
        if (!rows || std::any_of(rows->begin(), rows->end(), says_nothing)) return std::nullopt;
        return std::move(rows).value();
    }

    // The key last: rows without it don't count.
    Status save(const std::vector<Row> &rows) const {
        std::error_code error;
        std::filesystem::create_directories(std::filesystem::path(key_path_).parent_path(), error);
        if (error) return Error{key_path_ + ": its folder can't be made: " + error.message()};
        remove_file(key_path_);
        if (Status written = RowsFile<Row>::write(rows_path_, rows); !written) return written;
        return write_file(key_path_, key_);
    }

private:
    static bool says_nothing(const Row &row) {
        return row.failure && is_provisional(row.failure->kind);
    }

    std::string rows_path_, key_path_, key_;
};

}  // namespace autoschedule_gpu
