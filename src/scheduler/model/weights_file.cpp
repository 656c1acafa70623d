#include "scheduler/model/weights_file.h"

#include <array>
#include <cmath>
#include <cstring>
#include <sstream>

#include "core/support/bytes.h"
#include "core/support/file.h"
#include "core/support/hex.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kMagic = api::kWeightsMagic;
constexpr uint32_t kVersion = api::kWeightsVersion;
using Header = api::WeightsHeader;
static_assert(sizeof(Normalisation) == sizeof(float) * 2 * kInputs);

constexpr std::array kTexts = {&WeightsOrigin::device, &WeightsOrigin::gpu,
                               &WeightsOrigin::trained_from, &WeightsOrigin::date,
                               &WeightsOrigin::command};

template <typename Number>
Error bad_number(std::string_view what, const std::string &expected, Number found) {
    std::ostringstream text;
    text << what << ": expected " << expected << ", found " << found;
    return Error{text.str()};
}

Status check_numbers(const Weights &weights) {
    if (weights.card) {
        const CardSummary &card = *weights.card;
        for (const double accuracy : {card.network, card.roofline, card.analytical}) {
            if (accuracy >= 0 && accuracy <= 1) continue;
            return bad_number("report card", "an accuracy from 0 to 1", accuracy);
        }
    }
    const Normalisation &normalisation = weights.network.normalisation();
    for (const auto &numbers : {normalisation.mean, normalisation.scale}) {
        for (const float number : numbers) {
            if (!std::isfinite(number)) {
                return bad_number("normalisation", "finite numbers", number);
            }
        }
    }
    const std::span<const float> parameters = weights.network.parameters();
    for (const ParameterBlock &block : Network::blocks()) {
        for (const float number : parameters.subspan(block.offset, block.size)) {
            if (std::abs(number) <= Network::kMostParameter) continue;
            return bad_number(block.name,
                              "numbers of magnitude up to " +
                                  std::to_string(static_cast<int>(Network::kMostParameter)),
                              number);
        }
    }
    return Ok{};
}

Status check_header(std::string_view bytes) {
    if (!bytes.starts_with(kMagic)) {
        return Error{"expected weights, which begin with '" + std::string(kMagic) +
                     "', found something else"};
    }
    const std::optional<Header> header = ByteReader(bytes).take_value<Header>();
    if (!header) {
        return Error{"expected at least " + std::to_string(sizeof(Header)) +
                     " bytes of weights, found " + std::to_string(bytes.size()) +
                     ": the file is cut short"};
    }
    if (header->version != kVersion) {
        return Error{"expected version " + std::to_string(kVersion) +
                     " of weights, found version " + std::to_string(header->version) +
                     ": use the release that wrote them"};
    }
    const std::string again = ": train them again with this release's retrain_cost_model";
    if (header->schema != feature_schema_hash()) {
        return Error{"expected weights for the feature list " + to_hex(feature_schema_hash()) +
                     ", found " + to_hex(header->schema) + again};
    }
    if (header->shape != Network::shape_hash()) {
        return Error{"expected weights for the network " + to_hex(Network::shape_hash()) +
                     ", found " + to_hex(header->shape) + again};
    }
    if (header->bytes != bytes.size()) {
        return Error{"expected " + std::to_string(header->bytes) + " bytes of weights, found " +
                     std::to_string(bytes.size()) +
                     (bytes.size() < header->bytes ? ": the file is cut short"
                                                   : ": the file goes on after its end")};
    }
    return Ok{};
}

std::optional<WeightsOrigin> take_origin(ByteReader &reader) {
    WeightsOrigin origin;
    for (const auto text : kTexts) {
        std::optional<std::string> taken = take_text(reader);
        if (!taken) return std::nullopt;
        origin.*text = *std::move(taken);
    }
    const std::optional<uint64_t> seed = reader.take_value<uint64_t>();
    if (!seed) return std::nullopt;
    origin.seed = *seed;
    return origin;
}

std::optional<Network> take_network(ByteReader &reader) {
    Network network = Network::initial(0);
    const std::optional<Normalisation> normalisation = reader.take_value<Normalisation>();
    const std::span<float> parameters = network.parameters();
    const std::optional<std::string_view> numbers = reader.take(parameters.size_bytes());
    if (!normalisation || !numbers) return std::nullopt;
    network.set_normalisation(*normalisation);
    std::memcpy(parameters.data(), numbers->data(), numbers->size());
    return network;
}

// What lies between the header and the checksum.
std::optional<Weights> take_body(ByteReader &reader) {
    std::optional<WeightsOrigin> origin = take_origin(reader);
    const std::optional<uint32_t> cards = reader.take_value<uint32_t>();
    if (!origin || !cards || *cards > 1) return std::nullopt;
    std::optional<CardSummary> card;
    if (*cards == 1) {
        card = reader.take_value<CardSummary>();
        if (!card) return std::nullopt;
    }
    std::optional<Network> network = take_network(reader);
    if (!network || reader.left() > 0) return std::nullopt;
    return Weights{*std::move(origin), card, *std::move(network)};
}

}  // namespace

Result<std::string> weights_bytes(const Weights &weights) {
    if (Status allowed = check_numbers(weights); !allowed) return allowed.error();
    std::string body;
    for (const auto text : kTexts) append_text(body, weights.origin.*text);
    append_value(body, weights.origin.seed);
    append_value(body, uint32_t{weights.card.has_value()});
    if (weights.card) append_value(body, *weights.card);
    append_value(body, weights.network.normalisation());
    for (const float number : weights.network.parameters()) append_value(body, number);

    Header header{{},
                  kVersion,
                  feature_schema_hash(),
                  Network::shape_hash(),
                  sizeof(Header) + body.size() + sizeof(uint64_t)};
    std::memcpy(header.magic, kMagic.data(), sizeof header.magic);
    std::string bytes;
    append_value(bytes, header);
    bytes += body;
    append_value(bytes, checksum(bytes, kVersion));
    return bytes;
}

Result<Weights> parse_weights(std::string_view bytes) {
    if (Status known = check_header(bytes); !known) return known.error();
    const size_t checked = bytes.size() - sizeof(uint64_t);
    const uint64_t expected = *ByteReader(bytes.substr(checked)).take_value<uint64_t>();
    const uint64_t found = checksum(bytes.substr(0, checked), kVersion);
    if (expected != found) {
        return Error{"expected weights with the checksum " + to_hex(expected) + ", found " +
                     to_hex(found) + ": the file is damaged"};
    }
    ByteReader reader(bytes.substr(0, checked));
    reader.take(sizeof(Header));
    std::optional<Weights> weights = take_body(reader);
    if (!weights) return Error{"expected weights, found bytes of another layout"};
    if (Status allowed = check_numbers(*weights); !allowed) return allowed.error();
    return *std::move(weights);
}

Status write_weights(const std::string &path, const Weights &weights) {
    const Result<std::string> bytes = weights_bytes(weights);
    if (!bytes) return Error{path + ": " + bytes.error().message};
    return write_file(path, *bytes);
}

Result<Weights> read_weights(const std::string &path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    Result<Weights> weights = parse_weights(*bytes);
    if (!weights) return Error{path + ": " + weights.error().message};
    return weights;
}

}  // namespace autoschedule_gpu
