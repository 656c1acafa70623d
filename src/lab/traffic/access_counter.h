// Adds up what the loads and stores of one kernel move, instruction by instruction, for all threads
// of a block at once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/lowered/lowered.h"
#include "lab/traffic/count.h"
#include "lab/traffic/footprint.h"
#include "lab/traffic/joined_accesses.h"
#include "lab/traffic/kept_values.h"
#include "lab/traffic/value.h"
#include "lab/traffic/warp_access.h"

namespace autoschedule_gpu {

// The threads of a block that take part.
struct ActiveThreads {
    std::vector<uint8_t> flags;  // by thread
    int64_t count = 0;
};
ActiveThreads all_threads(int64_t count);
// Returns the threads of `active` for which `condition`, a scalar, is `holds`.
ActiveThreads where(const ActiveThreads &active, const Value &condition, bool holds);

enum class Direction : uint8_t { load, store };

struct Access {
    AccessSite site = 0;  // which load or store in the code
    uint64_t form = 0;    // of the address (address_form.h)
    Direction direction = Direction::load;
    lowered::BufferId buffer;
    // Of what is loaded or stored, and the unit of the index. Arrays of several types that lie in
    // one allocation of shared memory are accessed each in its own.
    int64_t element_bytes = 4;
    int64_t lanes = 1;
    int64_t elements_per_instruction = 1;
    const Value *index = nullptr;
    const Value *predicate = nullptr;  // null: all lanes take part
    bool atomic = false;               // atomic accesses are never saved by kept values
};

class AccessCounter {
public:
    AccessCounter(const lowered::Code &code, const MemoryUnits &units, FootprintMode mode);

    void begin_launch(double weight);
    void end_launch();
    // Of instructions that access nothing.
    void add_instructions(double count, double active, double of_warps) {
        block_instructions_ += count;
        active_lanes_ += count * active;
        warp_lanes_ += count * of_warps;
    }

    void begin_block() {
        kept_ = KeptValues(shared_);
        joined_.forget();
        loaded_by_block_.clear();
        whole_block_ = true;
        begin_pass();
    }
    // Only some iterations of a loop in the block are executed.
    void skip_iterations() { whole_block_ = false; }
    // `weight` is how many blocks this one stands for.
    void end_block(double weight);
    // Encloses code that may not run, and an iteration.
    void enter_code() { joined_.forget(); }
    void leave_code() { joined_.forget(); }

    // Encloses statements under a condition, and begins code that runs anew: an iteration, or what
    // stands behind a barrier. A compiler moves no load ahead of a branch.
    void enter_branch();
    void leave_branch();
    void begin_pass() { order_ = {}; }
    // Whether the code since then has stored to an array in global memory that it has loaded of.
    bool pass_is_in_place() const;

    // Makes accesses count for the footprint only, until the end of the launch.
    void begin_scouting() { scouting_ = true; }

    void barrier();
    KeptValues &kept() { return kept_; }

    // `weight` is how often the access counts in the whole run, all launches included.
    void global(const Access &access, const BufferShape &shape, const ActiveThreads &active,
                double weight);
    void shared(const Access &access, const ActiveThreads &active, double weight);
    // Counts an access to an array of a thread. The array is on the stack if the index of any
    // access differs between threads, blocks or iterations, because registers have no addresses.
    void local(const Access &access, const ActiveThreads &active, double weight);
    void allocate_local(lowered::BufferId buffer, int64_t bytes);

    // Fills in the sums so far, and those of a whole kernel.
    void report(ThreadWork &work) const;
    void report_kernel(KernelTraffic &traffic) const;

    // Returns how many addresses were looked at so far, a measure of time.
    double work() const { return work_; }

private:
    struct Sums {
        double instructions = 0, shared_instructions = 0;  // of all lanes
        double access_bytes = 0;
        double sectors = 0;
        double wavefronts = 0;     // of global memory
        double block_sectors = 0;  // each once per block
        double footprint_bytes = 0;
        double cached_bytes = 0;  // of the footprint
    };

    struct LocalArray {
        int64_t bytes = 0;
        double access_bytes = 0;
        bool on_stack = false;
    };

    // What a block loads of a buffer: its sectors, one by one, or those of the box that they fill
    // where not all of them are met (footprint.h).
    struct LoadedByBlock {
        const BufferShape *shape = nullptr;
        ElementBox box;
        std::unordered_set<int64_t> sectors;
        double first_requests = 0;  // of a sector, by all blocks that this one stands for
    };

    // The loads of global memory that the pass at hand has made; whether those since the last one
    // that waited have been counted as a group, and as one that brings something new; and whether
    // something keeps the next one behind them: a branch, or a step of a scan that goes on from
    // what the step before has stored there. The latter keeps no load back whose address is a
    // constant away from that of an earlier one.
    struct LoadOrder {
        int64_t loads = 0;
        bool is_group = false, is_new_group = false;
        bool is_behind_branch = false, is_behind_step = false;
        std::set<lowered::BufferId> stored = {};
        std::map<lowered::BufferId, std::set<uint64_t>> loaded = {};   // the forms of its addresses
        std::map<lowered::BufferId, std::set<int64_t>> elements = {};  // some that were loaded
    };

    // Whether what the launch loads of it is what it has stored there before, as in a scan: no load
    // of an element came right before a store to that.
    bool is_read_back(lowered::BufferId buffer) const;
    void note_order(const Access &access, const std::vector<int64_t> &touched);

    bool is_kept_back(const Access &load) const;
    bool happens(const Access &access, const ActiveThreads &active, const AddressKey &key,
                 double weight);
    void shared_instruction(const Access &access, const ActiveThreads &active, double weight);
    void shared_element(const Access &access, const ActiveThreads &active, const AddressKey &key,
                        double weight);
    void atomic(const WarpLanes &lanes, size_t sectors, double weight);
    AddressKey key_of(const Access &access, const ActiveThreads &active) const;
    template <typename F>
    void for_each_warp(const Access &access, const ActiveThreads &active, double weight, F f);
    bool takes_part(const Access &access, int64_t lane, int64_t thread,
                    const ActiveThreads &active) const;
    std::vector<int64_t> elements(const Access &access, const ActiveThreads &active) const;

    const lowered::Code &code_;
    const MemoryUnits units_;
    const FootprintMode mode_;
    std::set<lowered::BufferId> shared_;  // the buffers in shared memory
    KeptValues kept_;
    JoinedAccesses joined_;
    std::map<std::pair<lowered::BufferId, Direction>, Footprint> footprints_;
    std::set<lowered::BufferId> stored_, changed_in_place_;  // of the launch
    double launch_weight_ = 1;
    bool scouting_ = false;
    Sums loads_, stores_;
    double atomic_operations_ = 0, atomic_sectors_ = 0, atomic_bytes_ = 0;
    std::map<lowered::BufferId, LoadedByBlock> loaded_by_block_;
    bool whole_block_ = true;
    double shared_bytes_ = 0, wavefronts_ = 0;
    std::map<lowered::BufferId, LocalArray> local_arrays_;
    std::map<AccessSite, std::vector<int64_t>> local_indices_;  // by lane
    double active_lanes_ = 0, warp_lanes_ = 0, block_instructions_ = 0;
    double waits_ = 0, global_waits_ = 0, load_groups_ = 0, new_load_groups_ = 0;
    LoadOrder order_;
    // Of branches that are open: the loads before, and whether another branch stood before them.
    std::vector<std::pair<int64_t, bool>> branches_;
    double work_ = 0;
};

}  // namespace autoschedule_gpu
