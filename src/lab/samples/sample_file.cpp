#include "lab/samples/sample_file.h"

#include <optional>
#include <utility>

#include "core/support/file.h"
#include "core/support/hex.h"
#include "lab/samples/file_header.h"
#include "lab/samples/log_file.h"
#include "lab/samples/origin.h"
#include "lab/samples/record.h"
#include "lab/samples/sample_bytes.h"

namespace autoschedule_gpu {

namespace {

Error in_file(const std::string &path, const Error &error) {
    return Error{path + ": " + error.message};
}

// What stands before the samples.
struct FileBegin {
    FeatureCounts counts;
    SampleOrigin origin;
};

// The first record, which the cursor has passed; nullopt if the file ends before the record does.
using FirstRecord = std::optional<FileBegin>;

Result<FirstRecord> take_begin(const LogFile &file, RecordCursor &cursor) {
    const Result<std::string> header = file.read(0, kFileHeaderBytes);
    if (!header) return header.error();
    const bool torn = header->size() < kFileHeaderBytes;
    if (torn && file_header(kSampleFormat).starts_with(*header)) return FirstRecord();
    const Result<FeatureCounts> counts = check_file_header(kSampleFormat, *header);
    if (!counts) return counts.error();

    const Result<bool> whole = cursor.advance();
    if (!whole) return whole.error();
    if (!*whole) return FirstRecord();
    const Result<std::string> payload = cursor.payload();
    if (!payload) return payload.error();
    Result<SampleOrigin> origin = parse_origin(*payload);
    if (!origin) return cursor.in_record(origin.error());
    return FirstRecord(FileBegin{*counts, std::move(origin).value()});
}

Result<SampleFile> read_open(const LogFile &file) {
    const Result<uint64_t> size = file.size();
    if (!size) return size.error();
    RecordCursor cursor(file, kFileHeaderBytes, *size);
    Result<FirstRecord> begin = take_begin(file, cursor);
    if (!begin) return begin.error();
    if (!begin->has_value()) {
        return Error{"expected the origin of the samples, found the end after " +
                     std::to_string(*size) + " bytes: the file holds no samples"};
    }
    SampleFile found{.origin = (*begin)->origin, .samples = {}};
    while (true) {
        const Result<bool> whole = cursor.advance();
        if (!whole) return whole.error();
        if (!*whole) break;
        const Result<std::string> payload = cursor.payload();
        if (!payload) return payload.error();
        Result<Sample> sample = parse_sample(*payload, (*begin)->counts);
        if (!sample) return cursor.in_record(sample.error());
        found.samples.push_back(std::move(sample).value());
    }
    found.torn_bytes = *size - cursor.offset();
    return found;
}

// The offset at which the whole records of a file end. A file that ends within its first record
// holds nothing and is started anew.
struct LogEnd {
    uint64_t offset = 0;
    uint64_t records = 0;
};

Result<LogEnd> end_of_log(const LogFile &file, uint64_t size, const SampleOrigin &origin) {
    RecordCursor cursor(file, kFileHeaderBytes, size);
    const Result<FirstRecord> known = take_begin(file, cursor);
    if (!known) return known.error();
    if (!known->has_value()) return LogEnd{};
    constexpr std::string_view kToDo = ": write them to a file of their own";
    const uint64_t schema = feature_schema_hash((*known)->counts);
    if (schema != feature_schema_hash()) {
        return Error{"expected samples of the earlier feature list " + to_hex(schema) +
                     ", found some of " + to_hex(feature_schema_hash()) + std::string(kToDo)};
    }
    if (const Status same = check_same_device((*known)->origin, origin); !same) {
        return Error{same.error().message + std::string(kToDo)};
    }
    while (true) {
        const Result<bool> whole = cursor.advance();
        if (!whole) return whole.error();
        if (!*whole) return LogEnd{cursor.offset(), cursor.records()};
    }
}

Result<std::vector<std::string>> payloads_of(std::span<const Sample> samples) {
    std::vector<std::string> payloads;
    for (size_t i = 0; i < samples.size(); ++i) {
        Result<std::string> payload = sample_payload(samples[i]);
        if (!payload) {
            return Error{"sample " + std::to_string(i) + " ('" + samples[i].pipeline + "', '" +
                         samples[i].schedule + "'): " + payload.error().message};
        }
        payloads.push_back(std::move(payload).value());
    }
    return payloads;
}

// Returns the bytes to be written at `end`.
Result<std::string> bytes_to_add(const LogEnd &end, const SampleOrigin &origin,
                                 std::span<const std::string> payloads) {
    std::string bytes;
    uint64_t number = end.records;
    const auto add = [&](std::string_view payload) -> Status {
        const Result<std::string> record = record_bytes(number++, payload);
        if (!record) return record.error();
        bytes += *record;
        return Ok{};
    };
    if (number == 0) {
        bytes = file_header(kSampleFormat);
        if (Status added = add(to_json(origin)); !added) return added.error();
    }
    for (const std::string &payload : payloads) {
        if (Status added = add(payload); !added) return added.error();
    }
    return bytes;
}

Status append_open(const LogFile &file, const SampleOrigin &origin,
                   std::span<const std::string> payloads) {
    const Result<uint64_t> size = file.size();
    if (!size) return size.error();
    const Result<LogEnd> end = end_of_log(file, *size, origin);
    if (!end) return end.error();
    const Result<std::string> bytes = bytes_to_add(*end, origin, payloads);
    if (!bytes) return bytes.error();
    if (*size > end->offset) {
        if (Status cut = file.truncate(end->offset); !cut) return cut;
    }
    Status written = file.write(end->offset, *bytes);
    // Writing may stop in the middle, if the disk is full for instance; samples are added all or
    // none.
    if (!written) (void)file.truncate(end->offset);
    return written;
}

}  // namespace

Result<bool> has_begun(const std::string &path) {
    if (!is_there(path)) return false;
    const Result<LogFile> file = LogFile::open_to_read(path);
    if (!file) return in_file(path, file.error());
    const Result<uint64_t> size = file->size();
    if (!size) return in_file(path, size.error());
    RecordCursor cursor(*file, kFileHeaderBytes, *size);
    const Result<FirstRecord> begin = take_begin(*file, cursor);
    if (!begin) return in_file(path, begin.error());
    return begin->has_value();
}

Status append_samples(const std::string &path, const SampleOrigin &origin,
                      std::span<const Sample> samples) {
    const Result<std::vector<std::string>> payloads = payloads_of(samples);
    if (!payloads) return in_file(path, payloads.error());
    const Result<LogFile> file = LogFile::open_to_append(path);
    if (!file) return in_file(path, file.error());
    const Status appended = append_open(*file, origin, *payloads);
    if (!appended) return in_file(path, appended.error());
    return Ok{};
}

Result<SampleFile> read_samples(const std::string &path) {
    const Result<LogFile> file = LogFile::open_to_read(path);
    if (!file) return in_file(path, file.error());
    Result<SampleFile> read = read_open(*file);
    if (!read) return in_file(path, read.error());
    return read;
}

}  // namespace autoschedule_gpu
