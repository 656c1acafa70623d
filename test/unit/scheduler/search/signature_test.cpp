// One number that any change of the search's behaviour moves: of the space, the features, the
// model or the search itself.
#include <gtest/gtest.h>

#include "core/support/hash.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

// After a change that is meant to change what is chosen, put the number that the test prints here,
// and say in the commit why it moved.
constexpr uint64_t kSignature = 9714799710416715124ULL;

TEST(Signature, IsThatOfTheLastChangeOfBehaviour) {
    Hasher hasher;
    std::string nests;
    for (example::NamedDag &e : example::all()) {
        const example::Search search(std::move(e.dag));
        const std::string text = to_text(search.dag, search.run().best[0].nest);
        hasher.add(e.name).add(text);
        nests += "-- " + e.name + "\n" + text;
    }
    EXPECT_EQ(hasher.value(), kSignature)
        << "The search chooses otherwise than when the signature was taken. If that is meant, set "
           "kSignature to "
        << hasher.value() << "ULL. It chose:\n"
        << nests;
}

}  // namespace
}  // namespace autoschedule_gpu
