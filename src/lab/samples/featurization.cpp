#include "lab/samples/featurization.h"

#include "lab/samples/feature_bytes.h"
#include "lab/samples/file_header.h"
#include "lab/samples/record.h"

namespace autoschedule_gpu {

namespace {

// The number of a featurization's only record.
constexpr uint64_t kRecord = 0;

Error wrong_size(size_t expected, size_t found) {
    return Error{"expected " + std::to_string(expected) + " bytes of a featurization, found " +
                 std::to_string(found) +
                 (found < expected ? ": it is cut short" : ": it goes on after its end")};
}

// Returns what lies between the file header and the end.
Result<std::string_view> payload_in(std::string_view bytes) {
    const std::string_view record = bytes.substr(kFileHeaderBytes);
    if (record.size() < kRecordHeadBytes) {
        return wrong_size(kFileHeaderBytes + kRecordHeadBytes + kChecksumBytes, bytes.size());
    }
    const auto length = bytes_after_head(kRecord, record.substr(0, kRecordHeadBytes));
    if (!length) return length.error();
    const std::string_view body = record.substr(kRecordHeadBytes);
    if (body.size() != *length) {
        return wrong_size(kFileHeaderBytes + kRecordHeadBytes + *length, bytes.size());
    }
    return payload_of(kRecord, body);
}

}  // namespace

Result<std::string> featurization_bytes(std::span<const FeatureTable> kernels) {
    std::string payload;
    if (Status done = append_tables(payload, kernels); !done) return done.error();
    const Result<std::string> record = record_bytes(kRecord, payload);
    if (!record) return record.error();
    return file_header(kFeaturizationFormat) + *record;
}

Result<std::vector<FeatureTable>> parse_featurization(std::string_view bytes) {
    const Result<FeatureCounts> counts = check_file_header(kFeaturizationFormat, bytes);
    if (!counts) return counts.error();
    const Result<std::string_view> payload = payload_in(bytes);
    if (!payload) return payload.error();
    ByteReader reader(*payload);
    Result<std::vector<FeatureTable>> kernels = take_tables(reader, *counts);
    if (kernels && reader.left() > 0) {
        return Error{"expected the end after the last kernel, found " +
                     std::to_string(reader.left()) + " more bytes"};
    }
    return kernels;
}

}  // namespace autoschedule_gpu
