#include <gtest/gtest.h>

#include "kill_rounds.h"

namespace autoschedule_gpu {
namespace {

TEST(RecordsOfManyKilledWorkers, AreWholeAndEachThereOnce) {
    expect_to_survive_kills(100, 2);
}

}  // namespace
}  // namespace autoschedule_gpu
