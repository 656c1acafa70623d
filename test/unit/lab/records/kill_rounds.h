// A file of records under processes that are killed at any moment.
#pragma once

namespace autoschedule_gpu {

// Each round: two workers lease jobs, add records and draws and finish jobs, say so once it is
// committed, and are killed up to 30 ms after they began. Then the file is whole, has everything
// that was said once, and gives the jobs of the dead out again.
void expect_to_survive_kills(int rounds, unsigned seed);

}  // namespace autoschedule_gpu
