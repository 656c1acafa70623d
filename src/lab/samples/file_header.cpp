#include "lab/samples/file_header.h"

#include <cstring>
#include <optional>

#include "core/support/bytes.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {

std::string file_header(const FileFormat &format) {
    FileHeader header{{}, format.version, feature_schema_hash()};
    std::memcpy(header.magic, format.magic.data(), sizeof header.magic);
    std::string bytes;
    append_value(bytes, header);
    return bytes;
}

Result<FeatureCounts> check_file_header(const FileFormat &format, std::string_view bytes) {
    const std::string name(format.name);
    if (!bytes.starts_with(format.magic)) {
        return Error{"expected a " + name + ", which begins with '" + std::string(format.magic) +
                     "', found something else"};
    }
    const std::optional<FileHeader> header = ByteReader(bytes).take_value<FileHeader>();
    if (!header) {
        return Error{"expected a " + name + " of at least " + std::to_string(kFileHeaderBytes) +
                     " bytes, found " + std::to_string(bytes.size()) + ": it is cut short"};
    }
    if (header->version != format.version) {
        return Error{"expected version " + std::to_string(format.version) + " of a " + name +
                     ", found version " + std::to_string(header->version) +
                     ": read it with the release that wrote it"};
    }
    if (header->schema == feature_schema_hash()) return FeatureCounts{};
    for (const FeatureCounts &earlier : api::kEarlierFeatureCounts) {
        if (header->schema == feature_schema_hash(earlier)) return earlier;
    }
    return Error{"expected the feature list " + to_hex(feature_schema_hash()) + ", found " +
                 to_hex(header->schema) + ": its features are those of another release"};
}

}  // namespace autoschedule_gpu
