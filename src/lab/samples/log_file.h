// An open file of records: bytes at offsets, a lock, and the records in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// Owns the open file. Errors say what failed, without the path.
class LogFile {
public:
    static Result<LogFile> open_to_read(const std::string &path);
    // Opens the file, which is created if necessary, and locks it against other writers until it is
    // closed.
    static Result<LogFile> open_to_append(const std::string &path);

    LogFile(LogFile &&other) noexcept;
    LogFile &operator=(LogFile &&) = delete;
    ~LogFile();

    Result<uint64_t> size() const;
    // Returns fewer bytes than asked for if the file ends before.
    Result<std::string> read(uint64_t offset, uint64_t count) const;
    Status write(uint64_t offset, std::string_view bytes) const;
    Status truncate(uint64_t size) const;

private:
    explicit LogFile(int file) : file_(file) {}

    int file_;
};

// Walks over the records of a log, which must outlive it. Errors name the record by its number and
// by the byte at which it begins; everything before that byte is whole.
class RecordCursor {
public:
    // Starts before record 0, at `offset`; bytes from `size` on are ignored.
    RecordCursor(const LogFile &file, uint64_t offset, uint64_t size)
        : file_(file), begin_(offset), end_(offset), size_(size) {}

    // Moves over one record. Returns false if there is no whole one, and an error if its length is
    // damaged.
    Result<bool> advance();
    // The payload of the record just passed, and an error that names it.
    Result<std::string> payload() const;
    Error in_record(const Error &error) const;

    uint64_t records() const { return records_; }  // how many were passed
    uint64_t offset() const { return end_; }

private:
    const LogFile &file_;
    uint64_t begin_, end_;  // of the record just passed
    uint64_t size_;
    uint64_t records_ = 0;
};

}  // namespace autoschedule_gpu
