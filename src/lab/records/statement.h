// One SQL statement: values go in by '?', rows come out column by column. Owned by one thread, and
// no longer alive than its connection.
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

// Bytes that are no text.
struct SqlBlob {
    std::string_view bytes;
};

// What a '?' stands for; monostate is NULL. Texts may hold any bytes.
using SqlValue = std::variant<std::monostate, int64_t, double, std::string_view, SqlBlob>;
using SqlValues = std::initializer_list<SqlValue>;

template <typename T>
SqlValue sql_value(const std::optional<T> &value) {
    return value ? SqlValue(*value) : SqlValue();
}

// SQLite's integers have a sign; hashes keep their bits.
inline int64_t sql_hash(uint64_t hash) {
    return std::bit_cast<int64_t>(hash);
}

// Steps give SQLite's codes; database.h makes errors of them.
class Statement {
public:
    // `code` is SQLite's; without SQLITE_OK the statement must not be used.
    Statement(sqlite3 *connection, std::string_view sql, int &code);

    // Begins anew, with these values; they must live until the last step.
    int bind(SqlValues values);
    int step();

    // The columns of the row at hand, from the first to the last. NULL is 0, or an empty text.
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
