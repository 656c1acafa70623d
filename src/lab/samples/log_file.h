// An open file of records: bytes at offsets, a lock, and the records in their order.
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
    // Made if need be, and locked against other writers until it is closed.
    static Result<LogFile> open_to_append(const std::string &path);

    LogFile(LogFile &&other) noexcept;
    LogFile &operator=(LogFile &&) = delete;
    ~LogFile();

    Result<uint64_t> size() const;
    // Fewer bytes than asked for where the file ends.
    Result<std::string> read(uint64_t offset, uint64_t count) const;
    Status write(uint64_t offset, std::string_view bytes) const;
    Status truncate(uint64_t size) const;

private:
    explicit LogFile(int file) : file_(file) {}

    int file_;
};

// Goes over the records of a log, which must outlive it. Errors name the record by its number and
// by the byte at which it begins: what lies before that is whole.
class RecordCursor {
public:
    // Before record 0, at `offset`; bytes from `size` on do not count.
    RecordCursor(const LogFile &file, uint64_t offset, uint64_t size)
        : file_(file), begin_(offset), end_(offset), size_(size) {}

    // Goes over one record; false if there is no whole one. An error if its length is damaged.
    Result<bool> advance();
    // The payload of the record just gone over, and an error that names it.
    Result<std::string> payload() const;
    Error in_record(const Error &error) const;

    uint64_t records() const { return records_; }  // gone over
    uint64_t offset() const { return end_; }

private:
    const LogFile &file_;
    uint64_t begin_, end_;  // of the record just gone over
    uint64_t size_;
    uint64_t records_ = 0;
};

}  // namespace autoschedule_gpu
