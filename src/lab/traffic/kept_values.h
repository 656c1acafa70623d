// Decides which loads and stores a compiler saves because the value is already in a register.
//
// Lowered code repeats itself: unrolled loops load the same elements, and a reduction that adds to
// memory loads and stores in every iteration. Counted literally, such code would seem to move far
// more than it does. So, for each thread of a block by itself:
//
//   - an element that the thread has loaded or stored before, at the same address and in code that
//     is sure to have run, is not loaded again;
//   - a load or store whose address does not change from one iteration of a loop to the next is
//     made once for the whole loop;
//   - what is stored is not stored if it is overwritten in the same code, and nothing between may
//     load it: a load of the same buffer at an address that may be the same one, or, as all shared
//     memory is one array to compilers, any load of another buffer there. Buffers in global memory
//     are parameters of a kernel that Halide says are no aliases, so that no other load may;
//
// until the thread stores to the same buffer at an address that may be the same one, or, in shared
// memory, until the threads meet at a barrier. Two addresses that differ by the same number of
// bytes for all threads are told apart; others may be the same. In global memory they must have
// the same form, too (address_form.h).
//
// That is what Halide's back ends do (read off the PTX of small kernels: loads common to several
// statements, loads moved out of loops, accumulators kept in registers; 25 unrolled steps of a sum
// in global memory store once, be what they add in global memory or in shared memory, and so they
// do to one output of a kernel while they load of another). It is optimistic where registers run
// out.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/lowered/lowered.h"
#include "core/support/hash.h"

namespace autoschedule_gpu {

// The addresses of all threads, in bytes: that of the first active thread, and a hash of the others
// relative to it and of which threads are active.
struct AddressKey {
    uint64_t shape = 0;
    int64_t base = 0;

    friend bool operator==(const AddressKey &, const AddressKey &) = default;
};

// Identifies a load or store in the code.
using AccessSite = uint64_t;

class KeptValues {
public:
    // Of all buffers that are accessed, names those in shared memory.
    explicit KeptValues(std::set<lowered::BufferId> shared = {}) : shared_(std::move(shared)) {}

    // Encloses code that may not run; what is loaded there is forgotten at its end.
    void enter_branch();
    void leave_branch();

    void enter_loop();
    void next_iteration();
    void leave_loop();

    // Forgets what was kept of a buffer, because threads meet.
    void forget(lowered::BufferId buffer);

    // Whether a load that accesses memory must wait for a store of the code at hand, since the
    // buffer was last loaded of, to an address that may be the same.
    bool waits(lowered::BufferId buffer, const AddressKey &key) const;

    // Returns true if memory is accessed; afterwards the value is kept.
    bool load(AccessSite site, lowered::BufferId buffer, const AddressKey &key);
    bool store(AccessSite site, lowered::BufferId buffer, const AddressKey &key);

private:
    enum class Kind : uint8_t { load, store };
    struct Access {
        lowered::BufferId buffer;
        AddressKey key;
        Kind kind = Kind::load;
        // The access was the same in all iterations so far, and nothing in the loop needs it in
        // memory.
        bool fixed = true;
    };
    struct KeyHash {
        size_t operator()(const AddressKey &key) const {
            return Hasher(key.shape).add(static_cast<uint64_t>(key.base)).value();
        }
    };
    struct Scope {
        bool is_loop = false;
        // What is forgotten at the end of the branch or iteration.
        std::vector<std::pair<size_t, AddressKey>> kept;
        // What the sites of a loop did when they last ran.
        std::unordered_map<AccessSite, Access> sites;
    };
    using Keys = std::unordered_set<AddressKey, KeyHash>;

    void begin_code();
    bool is_fixed(AccessSite site, const AddressKey &key) const;
    void keep(const Access &access);
    static void note(Scope &scope, AccessSite site, const Access &access);
    void leave();
    void forget_kept(Scope &scope);
    template <typename Condition>
    void unfix(Condition condition);
    // Says of the stores that may be to an address of such a load that it may need them.
    void read(lowered::BufferId buffer, const AddressKey &key);

    std::set<lowered::BufferId> shared_;
    std::vector<Scope> scopes_{1};
    // By buffer: the addresses whose values are in registers.
    std::unordered_map<size_t, Keys> kept_;
    std::unordered_set<size_t> stored_;  // by buffer
    // By buffer: the addresses that the code at hand has stored to, and nobody may have loaded.
    std::unordered_map<size_t, Keys> unread_;
    // By buffer: the addresses that the code at hand has stored to since it last loaded of it.
    std::unordered_map<size_t, Keys> last_stores_;
};

}  // namespace autoschedule_gpu
