#include "lab/records/statement.h"

#include <sqlite3.h>

namespace autoschedule_gpu {
namespace {

struct Binder {
    sqlite3_stmt *statement;
    int position;

    int operator()(std::monostate) const { return sqlite3_bind_null(statement, position); }
    int operator()(int64_t value) const { return sqlite3_bind_int64(statement, position, value); }
    int operator()(double value) const { return sqlite3_bind_double(statement, position, value); }
    // The pointer must not be null, because an empty text is not NULL.
    int operator()(std::string_view text) const {
        return sqlite3_bind_text64(statement, position, text.empty() ? "" : text.data(),
                                   text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    int operator()(SqlBlob blob) const {
        return sqlite3_bind_blob64(statement, position, blob.bytes.empty() ? "" : blob.bytes.data(),
                                   blob.bytes.size(), SQLITE_STATIC);
    }
};

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt *statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(sqlite3 *connection, std::string_view sql, int &code) {
    sqlite3_stmt *statement = nullptr;
    code = sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement,
                              nullptr);
    statement_.reset(statement);
}

int Statement::bind(SqlValues values) {
    sqlite3_reset(statement_.get());
    int position = 0;
    for (const SqlValue &value : values) {
        const int code = std::visit(Binder{statement_.get(), ++position}, value);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

int Statement::step() {
    column_ = 0;
    return sqlite3_step(statement_.get());
}

int64_t Statement::next_integer() {
    return sqlite3_column_int64(statement_.get(), column_++);
}

double Statement::next_real() {
    return sqlite3_column_double(statement_.get(), column_++);
}

// The text is read as a blob, so that nothing is converted and zero bytes do not end it.
std::string Statement::next_text() {
    const int column = column_++;
    const void *bytes = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return bytes ? std::string(static_cast<const char *>(bytes), static_cast<size_t>(size)) : "";
}

bool Statement::skips_null() {
    if (sqlite3_column_type(statement_.get(), column_) != SQLITE_NULL) return false;
    ++column_;
    return true;
}

std::optional<int64_t> Statement::next_integer_if_any() {
    if (skips_null()) return std::nullopt;
    return next_integer();
}

std::optional<double> Statement::next_real_if_any() {
    if (skips_null()) return std::nullopt;
    return next_real();
}

std::optional<std::string> Statement::next_text_if_any() {
    if (skips_null()) return std::nullopt;
    return next_text();
}

std::optional<uint64_t> Statement::next_hash_if_any() {
    if (skips_null()) return std::nullopt;
    return next_hash();
}

}  // namespace autoschedule_gpu
