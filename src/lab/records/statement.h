// One SQL statement: values go in by '?', and rows come out column by column. One thread owns it,
// and its connection must outlive it.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace autoschedule_gpu {

// Bytes that are not text.
struct SqlBlob {
    std::string_view bytes;
};

// The value for a '?'; monostate is NULL. Texts may hold any bytes.
using SqlValue = std::variant<std::monostate, int64_t, double, std::string_view, SqlBlob>;
using SqlValues = std::initializer_list<SqlValue>;

template <typename T>
SqlValue sql_value(const std::optional<T> &value) {
    return value ? SqlValue(*value) : SqlValue();
}

// SQLite's integers are signed, so a hash is stored as the integer with the same bits.
inline int64_t sql_hash(uint64_t hash) {
    return std::bit_cast<int64_t>(hash);
}

// bind() and step() return SQLite's codes; database.h turns them into errors.
class Statement {
public:
    // `code` becomes SQLite's code; unless it is SQLITE_OK, the statement must not be used.
    Statement(sqlite3 *connection, std::string_view sql, int &code);

    // Starts again with these values, which must live until the last step.
    int bind(SqlValues values);
    int step();

    // Each call reads the next column of the current row. NULL is read as 0 or as an empty text.
    int64_t next_integer();
    double next_real();
    std::string next_text();
    uint64_t next_hash() { return std::bit_cast<uint64_t>(next_integer()); }
    std::optional<int64_t> next_integer_if_any();
    std::optional<double> next_real_if_any();
    std::optional<std::string> next_text_if_any();
    std::optional<uint64_t> next_hash_if_any();

private:
    struct Finalizer {
        void operator()(sqlite3_stmt *statement) const;
    };

    bool skips_null();

    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
    int column_ = 0;
};

}  // namespace autoschedule_gpu
