// A record is a payload that knows its length and shows damage. Files of features consist of
// records.
//
//     head (8 bytes: length, and a check of it) | payload | checksum (8 bytes)
//
// The length has a check of its own, so that a damaged length is not taken for a record that is cut
// short. Both checks depend on the record's number, so that a record that is missing, doubled or
// out of place shows too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "autoschedule_gpu/sample.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

using api::kChecksumBytes;
using api::kRecordHeadBytes;
using api::RecordHead;

// Returns the record; an error if the payload is too long for one.
Result<std::string> record_bytes(uint64_t number, std::string_view payload);

// Returns how many bytes follow the head of record `number`: payload and checksum. `head` must have
// the size of a head.
Result<uint64_t> bytes_after_head(uint64_t number, std::string_view head);

// Returns the payload of record `number`, from what follows its head. The view is into `body`.
Result<std::string_view> payload_of(uint64_t number, std::string_view body);

}  // namespace autoschedule_gpu
