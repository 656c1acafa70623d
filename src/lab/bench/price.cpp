#include "lab/bench/price.h"

#include <optional>
#include <string>

#include "core/json/json.h"
#include "core/support/hex.h"
#include "core/support/split_list.h"

namespace autoschedule_gpu {
namespace {

Result<Price> price_of(const Json &line) {
    if (line.contains("refused")) return Error{line.at("refused").get<std::string>()};
    const std::string text = line.at("schedule").get<std::string>();
    const std::optional<uint64_t> schedule = from_hex(text);
    if (!schedule) return Error{"expected a hash of a schedule, found '" + text + "'"};
    return Price{.schedule = *schedule, .cost_ns = line.at("cost_ns").get<double>()};
}

}  // namespace

Result<Prices> parse_prices(std::string_view lines, size_t count) {
    Prices prices;
    for (const std::string &line : split_list(lines, '\n')) {
        const Json json = parse_loosely(line);
        const std::string where = "line " + std::to_string(prices.size() + 1) + " of prices: ";
        if (json.is_discarded()) return Error{where + "expected JSON"};
        using OnePrice = Result<Price>;
        Result<OnePrice> price = read_fields<OnePrice>(json, where, price_of);
        if (!price) return price.error();
        prices.push_back(*std::move(price));
    }
    if (prices.size() == count) return prices;
    return Error{"expected prices of " + std::to_string(count) + " lists, found " +
                 std::to_string(prices.size())};
}

}  // namespace autoschedule_gpu
