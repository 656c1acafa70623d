// A connection to an SQLite file, with errors as values. One thread may use it at a time, and it
// must not be used across fork(): a child opens a connection of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/support/error.h"
#include "lab/records/statement.h"

namespace autoschedule_gpu {

enum class StoreAccess : uint8_t { read_only, read_write };

// Errors begin with the path. A lock of another connection is waited for, for a minute at most.
class Database {
public:
    // Opens the file; with read_write it is created if necessary. Its content is not checked beyond
    // whether it can be read at all.
    static Result<Database> open(const std::string &path, StoreAccess access);

    const std::string &path() const { return path_; }
    Error error(const std::string &what) const { return Error{path_ + ": " + what}; }

    // Runs statements without values, separated by ';'; their rows are dropped.
    Status script(const std::string &sql);
    // Runs a statement that gives no rows. Returns how many rows it changed.
    Result<int64_t> run(std::string_view sql, SqlValues values = {});
    // Calls `row` for each row until it returns an error. `row` may use the connection, but must
    // not end a transaction.
    Status visit(std::string_view sql, SqlValues values,
                 const std::function<Status(Statement &)> &row);
    // Returns the first column of the first row; 0 if there is no row.
    Result<int64_t> integer(std::string_view sql, SqlValues values = {});

    // Runs `body` in a transaction, which is undone if `body` returns an error. Transactions cannot
    // be nested. `write` locks out other writers from its beginning; `read` sees one state of the
    // file.
    template <typename Body>
    auto write(const Body &body) -> decltype(body());
    template <typename Body>
    auto read(const Body &body) -> decltype(body());

    // Changes the journal mode ("wal", "delete") unless the file has that mode already.
    Status set_journal_mode(const std::string &mode);

private:
    struct Closer {
        void operator()(sqlite3 *connection) const;
    };
    class Transaction;
    using Connection = std::unique_ptr<sqlite3, Closer>;

    Database(Connection connection, std::string path)
        : connection_(std::move(connection)), path_(std::move(path)) {}
    static Result<Database> connect(const std::string &path, const std::string &name, int flags);
    Status configure();
    Result<Statement> prepare(std::string_view sql, SqlValues values);
    Error sql_error(int code) const;

    Connection connection_;
    std::string path_;
};

// Rolls the transaction back unless it was committed.
class Database::Transaction {
public:
    explicit Transaction(Database &database) : database_(database) {}
    ~Transaction() {
        if (is_open_) (void)database_.script("ROLLBACK");
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    Status begin(const char *sql) {
        Status begun = database_.script(sql);
        is_open_ = begun.ok();
        return begun;
    }
    Status commit() {
        Status committed = database_.script("COMMIT");
        is_open_ = !committed.ok();
        return committed;
    }

private:
    Database &database_;
    bool is_open_ = false;
};

template <typename Body>
auto Database::write(const Body &body) -> decltype(body()) {
    Transaction transaction(*this);
    if (Status begun = transaction.begin("BEGIN IMMEDIATE"); !begun) return begun.error();
    auto done = body();
    if (!done) return done;
    if (Status committed = transaction.commit(); !committed) return committed.error();
    return done;
}

template <typename Body>
auto Database::read(const Body &body) -> decltype(body()) {
    Transaction transaction(*this);
    if (Status begun = transaction.begin("BEGIN"); !begun) return begun.error();
    auto done = body();
    if (!done) return done;
    if (Status committed = transaction.commit(); !committed) return committed.error();
    return done;
}

}  // namespace autoschedule_gpu
