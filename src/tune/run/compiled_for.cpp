#include "tune/run/compiled_for.h"

#include <optional>
#include <set>
#include <utility>

#include "lab/records/record_store.h"

namespace autoschedule_gpu {

Result<RunDevice> interface_compiled_for(const Device &device) {
    if (const std::optional<RunDevice> runs = run_device(device)) return *runs;
    Result<RecordStore> opened = RecordStore::open(device.replay_file, StoreAccess::read_only);
    if (!opened) return opened.error();
    RecordStore store = std::move(opened).value();
    std::set<RunDevice> found;
    const Status visited = store.visit({}, [&](const TuningRecord &record) {
        found.insert(interface_of_recorded(record.environment.device));
        return Status(Ok{});
    });
    if (!visited) return visited.error();
    if (found.size() == 1) return *found.begin();
    return Error{device.replay_file + (found.empty() ? ": there are no records"
                                                     : ": expected records of devices of one "
                                                       "interface, found CUDA and OpenCL")};
}

}  // namespace autoschedule_gpu
