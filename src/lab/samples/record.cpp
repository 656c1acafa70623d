#include "lab/samples/record.h"

#include <limits>
#include <optional>

#include "core/support/bytes.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {

Result<std::string> record_bytes(uint64_t number, std::string_view payload) {
    constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
    if (payload.size() > kMost) {
        return Error{"expected at most " + std::to_string(kMost) + " bytes in a record, found " +
                     std::to_string(payload.size())};
    }
    const uint32_t length = static_cast<uint32_t>(payload.size());
    std::string bytes;
    append_value(bytes, RecordHead{length, api::record_check(number, length)});
    bytes += payload;
    append_value(bytes, checksum(payload, number));
    return bytes;
}

Result<uint64_t> bytes_after_head(uint64_t number, std::string_view head) {
    const RecordHead found = *ByteReader(head).take_value<RecordHead>();
    const uint32_t expected = api::record_check(number, found.length);
    if (found.check != expected) {
        return Error{"expected a length with the check " + std::to_string(expected) +
                     ", found the check " + std::to_string(found.check) + ": it is damaged"};
    }
    return uint64_t{found.length} + kChecksumBytes;
}

Result<std::string_view> payload_of(uint64_t number, std::string_view body) {
    const std::string_view payload = body.substr(0, body.size() - kChecksumBytes);
    const uint64_t found = *ByteReader(body.substr(payload.size())).take_value<uint64_t>();
    const uint64_t expected = checksum(payload, number);
    if (found != expected) {
        return Error{"expected the checksum " + to_hex(expected) + ", found " + to_hex(found) +
                     ": it is damaged"};
    }
    return payload;
}

}  // namespace autoschedule_gpu
