#include "lab/bench/price.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(ParsePrices, ReadsACostOrARefusalPerLine) {
    const Result<Prices> prices = parse_prices(
        "{\"schedule\": \"00c0ffee00c0ffee\", \"cost_ns\": 1234.5}\n{\"refused\": \"too big\"}\n",
        2);
    ASSERT_TRUE(prices);
    EXPECT_EQ((*prices)[0]->schedule, 0xc0ffee00c0ffeeu);
    EXPECT_EQ((*prices)[0]->cost_ns, 1234.5);
    EXPECT_EQ((*prices)[1].error().message, "too big");
}

TEST(ParsePrices, NamesTheLineThatIsNone) {
    EXPECT_EQ(parse_prices("{\"refused\": \"no\"}\nnonsense\n", 2).error().message,
              "line 2 of prices: expected JSON");
    EXPECT_TRUE(parse_prices("{\"schedule\": \"00c0ffee00c0ffee\"}\n", 1)
                    .error()
                    .message.starts_with("line 1 of prices: "));
    EXPECT_EQ(parse_prices("{\"refused\": \"no\"}\n", 2).error().message,
              "expected prices of 2 lists, found 1");
}

}  // namespace
}  // namespace autoschedule_gpu
