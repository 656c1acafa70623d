#include "lab/records/database.h"

#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

constexpr int kBusyTimeoutMs = 60'000;

// Escapes the path for use in an address "file:...".
std::string escaped(const std::string &path) {
    std::string text;
    for (const char c : path) {
        if (c == '%') {
            text += "%25";
        } else if (c == '?') {
            text += "%3f";
        } else if (c == '#') {
            text += "%23";
        } else {
            text += c;
        }
    }
    return text;
}

bool has_write_ahead_log(const std::string &path) {
    std::error_code error;
    const auto size = fs::file_size(path + "-wal", error);
    return !error && size > 0;
}

}  // namespace

void Database::Closer::operator()(sqlite3 *connection) const {
    sqlite3_close_v2(connection);
}

Error Database::sql_error(int code) const {
    const std::string message = sqlite3_errmsg(connection_.get());
    switch (code & 0xff) {
        case SQLITE_CORRUPT:
            return error("the file is damaged (" + message +
                         "); `sqlite3 FILE .recover | sqlite3 NEW_FILE` saves what is left of it");
        case SQLITE_NOTADB:
            return error("expected a file of tuning records, found one that is not SQLite's");
        case SQLITE_BUSY:
            return error("another process kept it locked for " +
                         std::to_string(kBusyTimeoutMs / 1000) + " s");
        default:
            return error(message);
    }
}

Result<Database> Database::connect(const std::string &path, const std::string &name, int flags) {
    sqlite3 *connection = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &connection,
                                     flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    Database database(Connection(connection), path);
    if (code != SQLITE_OK) return database.sql_error(code);
    sqlite3_busy_timeout(connection, kBusyTimeoutMs);
    if (Status configured = database.configure(); !configured) return configured.error();
    return database;
}

// Configures the connection so that a damaged or foreign file cannot run code of its own
// (trusted_schema).
Status Database::configure() {
    return script("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON");
}

Result<Database> Database::open(const std::string &path, StoreAccess access) {
    std::error_code error;
    // The path is made absolute because ":memory:" and the like are names of files here.
    const std::string name = fs::absolute(path, error).string();
    if (path.empty() || error) {
        return Error{path + ": expected a file of tuning records, found none"};
    }
    if (fs::is_directory(name, error)) {
        return Error{path + ": expected a file of tuning records, found a folder"};
    }
    const std::string folder = fs::path(name).parent_path().string();
    if (!fs::is_directory(folder, error)) return Error{path + ": there is no folder " + folder};
    if (access == StoreAccess::read_write) {
        return connect(path, name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    }
    if (!fs::exists(name, error)) return Error{path + ": there is no such file"};
    Result<Database> database = connect(path, name, SQLITE_OPEN_READONLY);
    if (!database) return database;
    sqlite3 *connection = database->connection_.get();
    const int code =
        sqlite3_exec(connection, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
    const bool lacks_log = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
    if (!lacks_log || has_write_ahead_log(name)) return database;
    // The folder takes no new files, but reading a write-ahead log would need one. Without such a
    // log all is in the file itself and nobody writes it, so it can be opened as immutable.
    return connect(path, "file:" + escaped(name) + "?immutable=1",
                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Status Database::script(const std::string &sql) {
    const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return sql_error(code);
    return Ok{};
}

Result<Statement> Database::prepare(std::string_view sql, SqlValues values) {
    int code = SQLITE_OK;
    Statement statement(connection_.get(), sql, code);
    if (code == SQLITE_OK) code = statement.bind(values);
    if (code != SQLITE_OK) return sql_error(code);
    return statement;
}

Status Database::visit(std::string_view sql, SqlValues values,
                       const std::function<Status(Statement &)> &row) {
    Result<Statement> prepared = prepare(sql, values);
    if (!prepared) return prepared.error();
    Statement statement = std::move(prepared).value();
    while (true) {
        const int code = statement.step();
        if (code == SQLITE_DONE) return Ok{};
        if (code != SQLITE_ROW) return sql_error(code);
        if (Status done = row(statement); !done) return done;
    }
}

Result<int64_t> Database::run(std::string_view sql, SqlValues values) {
    const Status done = visit(sql, values, [](Statement &) { return Status(Ok{}); });
    if (!done) return done.error();
    return static_cast<int64_t>(sqlite3_changes64(connection_.get()));
}

Result<int64_t> Database::integer(std::string_view sql, SqlValues values) {
    std::optional<int64_t> found;
    const Status done = visit(sql, values, [&](Statement &row) {
        if (!found) found = row.next_integer();
        return Status(Ok{});
    });
    if (!done) return done.error();
    return found.value_or(0);
}

// SQLite does not wait for other connections when the journal changes, and these open the file at
// the same time; so this tries again.
Status Database::set_journal_mode(const std::string &mode) {
    const Stopwatch watch;
    while (true) {
        std::string found;
        int code = SQLITE_OK;
        Statement statement(connection_.get(), "PRAGMA journal_mode=" + mode, code);
        if (code == SQLITE_OK) code = statement.step();
        if (code == SQLITE_ROW) found = statement.next_text();
        if (found == mode) return Ok{};
        const bool may_wait = watch.seconds() * 1000 < kBusyTimeoutMs;
        if (code != SQLITE_ROW && (code & 0xff) != SQLITE_BUSY) return sql_error(code);
        if (!may_wait) return error("expected a journal of mode " + mode + ", found " + found);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace autoschedule_gpu
