#include "lab/samples/log_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "lab/samples/record.h"

namespace autoschedule_gpu {

namespace {

Error failed(const std::string &what) {
    return Error{"could not " + what + " it: " + std::strerror(errno)};
}

Error located(uint64_t record, uint64_t offset, const Error &error) {
    return Error{"record " + std::to_string(record) + " at byte " + std::to_string(offset) + ": " +
                 error.message};
}

}  // namespace

Result<LogFile> LogFile::open_to_read(const std::string &path) {
    LogFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.file_ < 0) return failed("open");
    return file;
}

Result<LogFile> LogFile::open_to_append(const std::string &path) {
    LogFile file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (file.file_ < 0) return failed("open");
    while (flock(file.file_, LOCK_EX) != 0) {
        if (errno != EINTR) return failed("lock");
    }
    return file;
}

LogFile::LogFile(LogFile &&other) noexcept : file_(std::exchange(other.file_, -1)) {}

LogFile::~LogFile() {
    if (file_ >= 0) close(file_);
}

Result<uint64_t> LogFile::size() const {
    struct stat status {};
    if (fstat(file_, &status) != 0) return failed("read");
    return static_cast<uint64_t>(status.st_size);
}

Result<std::string> LogFile::read(uint64_t offset, uint64_t count) const {
    std::string bytes(count, '\0');
    uint64_t done = 0;
    while (done < count) {
        const ssize_t got =
            pread(file_, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
        if (got == 0) break;
        if (got < 0 && errno != EINTR) return failed("read");
        if (got > 0) done += static_cast<uint64_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

Status LogFile::write(uint64_t offset, std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t put = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put < 0 && errno != EINTR) return failed("write");
        if (put <= 0) continue;
        bytes.remove_prefix(static_cast<size_t>(put));
        offset += static_cast<uint64_t>(put);
    }
    return Ok{};
}

Status LogFile::truncate(uint64_t size) const {
    if (ftruncate(file_, static_cast<off_t>(size)) != 0) return failed("shorten");
    return Ok{};
}

Result<bool> RecordCursor::advance() {
    if (size_ - end_ < kRecordHeadBytes) return false;
    const Result<std::string> head = file_.read(end_, kRecordHeadBytes);
    if (!head) return located(records_, end_, head.error());
    if (head->size() < kRecordHeadBytes) return false;
    const Result<uint64_t> rest = bytes_after_head(records_, *head);
    if (!rest) return located(records_, end_, rest.error());
    if (size_ - end_ - kRecordHeadBytes < *rest) return false;
    begin_ = end_;
    end_ += kRecordHeadBytes + *rest;
    ++records_;
    return true;
}

Result<std::string> RecordCursor::payload() const {
    const uint64_t begin = begin_ + kRecordHeadBytes;
    const Result<std::string> body = file_.read(begin, end_ - begin);
    if (!body) return in_record(body.error());
    if (body->size() < end_ - begin)
        return in_record({"the file became shorter while it was read"});
    const Result<std::string_view> payload = payload_of(records_ - 1, *body);
    if (!payload) return in_record(payload.error());
    return std::string(*payload);
}

Error RecordCursor::in_record(const Error &error) const {
    return located(records_ - 1, begin_, error);
}

}  // namespace autoschedule_gpu
