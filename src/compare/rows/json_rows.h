// Writes and reads a RowsFile by one list of fields per struct, so that both directions agree. The
// list is a function template next to the instance of RowsFile:
//
//     template <typename Visitor>
//     void visit_fields(Visitor &visitor, NamedSize &size) {
//         visitor.field("name", size.name);
//         visitor.field("extents", size.extents);
//     }
//
// Next to it is same_entry(a, b), which is true for two rows about the same thing, of which a file
// may have only one. A row that must satisfy more than its fields tell has complaint(row, index)
// too.
//
// Every number must be finite and not negative. Include this in .cpp files only: it brings in the
// JSON library.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/row.h"
#include "compare/rows/rows_file.h"
#include "core/json/strict_json.h"
#include "core/support/error.h"
#include "core/support/file.h"

namespace autoschedule_gpu::json_rows {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Returns the array of rows in a text; throws Refusal for anything else, repeated keys and deep
// nesting.
Json parse_array(std::string_view text);

// Returns "row 3 (unsharp, gpu)": counted from 1, with the names that the row itself gives.
std::string row_name(const Json &row, size_t index);

// ---- writing ----

class Writer {
public:
    template <typename T>
    void field(const char *key, const T &value) {
        json_[key] = json_of(value);
    }
    void share(const char *key, const std::optional<double> &value) { field(key, value); }
    void rate(const char *key, double value) { field(key, value); }
    void median(const std::string &key, const std::optional<double> &median,
                const std::optional<RowInterval> &interval) {
        field(key.c_str(), median);
        field((key + "_interval").c_str(), interval);
    }
    void outcome(const std::optional<RowFailure> &failure) {
        json_["status"] = failure ? "failed" : "ok";
        json_["reason"] = failure ? Json(to_string(*failure)) : Json();
    }

    void verified(const std::optional<bool> &value, const std::optional<RowFailure> &) {
        field("verified", value);
    }

    // Takes a copy because the list of fields needs a row that can be written to, for the reader's
    // sake.
    template <typename Row>
    static Json row(Row copy) {
        Writer writer;
        visit_fields(writer, copy);
        return writer.json_;
    }

private:
    static Json json_of(const std::string &value) { return value; }
    static Json json_of(int64_t value) { return value; }
    static Json json_of(double value) { return value; }
    static Json json_of(bool value) { return value; }
    static Json json_of(const RowInterval &value) { return Json::array({value.low, value.high}); }
    template <typename T>
    static Json json_of(const std::optional<T> &value) {
        return value ? json_of(*value) : Json();
    }
    template <typename T, size_t N>
    static Json json_of(const std::array<T, N> &values) {
        return list_of(values);
    }
    template <typename T>
    static Json json_of(const std::vector<T> &values) {
        return list_of(values);
    }
    template <typename Row>
    static Json json_of(const Row &value) {
        return row(value);
    }
    template <typename List>
    static Json list_of(const List &values) {
        Json list = Json::array();
        for (const auto &value : values) list.push_back(json_of(value));
        return list;
    }

    Json json_ = Json::object();
};

// ---- reading ----

class Reader {
public:
    template <typename T>
    void field(const char *key, T &value) {
        read(get(key), where(key), value);
    }

    // Reads a part of a whole, 0 to 1.
    void share(const char *key, std::optional<double> &value) {
        const Json &json = get(key);
        value.reset();
        if (!json.is_null()) value = number(json, where(key), 1);
    }

    // Reads a number that others are divided by, which must be positive.
    void rate(const char *key, double &value) {
        field(key, value);
        if (value == 0) refuse(where(key), "a number above 0", get(key));
    }

    // Reads a median at `key` and its interval at `key`_interval; both may be unknown.
    void median(const std::string &key, std::optional<double> &median,
                std::optional<RowInterval> &interval);

    void outcome(std::optional<RowFailure> &failure);

    // Must come after the outcome, because a wrong output is a failure.
    void verified(std::optional<bool> &value, const std::optional<RowFailure> &failure);

    template <typename Row>
    static Row row(const Json &json, const std::string &where) {
        Row row;
        Reader reader(json, where);
        visit_fields(reader, row);
        reader.expect_no_more();
        return row;
    }

private:
    Reader(const Json &json, std::string where);

    std::string where(const std::string &key) const { return where_ + ", field \"" + key + "\""; }
    const Json &get(const std::string &key);
    void expect_no_more() const;

    static double number(const Json &json, const std::string &where, double greatest = kNoLimit);
    static void read(const Json &json, const std::string &where, std::string &value);
    static void read(const Json &json, const std::string &where, int64_t &value);
    static void read(const Json &json, const std::string &where, double &value);
    static void read(const Json &json, const std::string &where, bool &value);
    static void read(const Json &json, const std::string &where, RowInterval &value);

    template <typename T>
    static void read(const Json &json, const std::string &where, std::optional<T> &value) {
        value.reset();
        if (!json.is_null()) read(json, where, value.emplace());
    }
    template <typename T, size_t N>
    static void read(const Json &json, const std::string &where, std::array<T, N> &values) {
        if (!json.is_array() || json.size() != N) {
            refuse(where, "a list of " + std::to_string(N), json);
        }
        for (size_t i = 0; i < N; i++) read(json[i], item(where, i), values[i]);
    }
    template <typename T>
    static void read(const Json &json, const std::string &where, std::vector<T> &values) {
        if (!json.is_array()) refuse(where, "a list", json);
        values.clear();
        for (size_t i = 0; i < json.size(); i++)
            read(json[i], item(where, i), values.emplace_back());
    }
    template <typename Row>
    static void read(const Json &json, const std::string &where, Row &value) {
        value = row<Row>(json, where);
    }

    static std::string item(const std::string &where, size_t index) {
        return where + ", item " + std::to_string(index + 1);
    }

    std::string where_;
    AskedFields fields_;
};

// ---- whole files ----

// Throws Refusal if two rows are about the same thing.
template <typename Row>
std::vector<Row> rows_of(const Json &json) {
    std::vector<Row> rows;
    for (size_t i = 0; i < json.size(); i++) {
        rows.push_back(Reader::row<Row>(json[i], row_name(json[i], i)));
        for (size_t j = 0; j < i; j++) {
            if (!same_entry(rows[j], rows[i])) continue;
            throw Refusal{row_name(json[i], i) + ": expected one row of its kind, found row " +
                          std::to_string(j + 1) + " to be of the same"};
        }
    }
    return rows;
}

}  // namespace autoschedule_gpu::json_rows

namespace autoschedule_gpu {

// Returns what is wrong with a row whose fields are all valid. The default is nothing; a row's own
// file may define more.
template <typename Row>
std::optional<Error> complaint(const Row &, size_t /*index*/) {
    return std::nullopt;
}

template <typename Row>
std::string RowsFile<Row>::to_json(const std::vector<Row> &rows) {
    Json json = Json::array();
    for (const Row &row : rows) json.push_back(json_rows::Writer::row(row));
    return dump(json, 2) + "\n";
}

template <typename Row>
Result<std::vector<Row>> RowsFile<Row>::parse(std::string_view json) {
    try {
        std::vector<Row> rows = json_rows::rows_of<Row>(json_rows::parse_array(json));
        for (size_t i = 0; i < rows.size(); ++i) {
            if (std::optional<Error> wrong = complaint(rows[i], i)) return *std::move(wrong);
        }
        return rows;
    } catch (const Refusal &refusal) {
        return Error{refusal.message};
    }
}

template <typename Row>
Result<std::vector<Row>> RowsFile<Row>::read(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<std::vector<Row>> rows = parse(*text);
    if (!rows) return Error{path + ": " + rows.error().message};
    return rows;
}

template <typename Row>
Status RowsFile<Row>::write(const std::string &path, const std::vector<Row> &rows) {
    return write_file(path, to_json(rows));
}

}  // namespace autoschedule_gpu
