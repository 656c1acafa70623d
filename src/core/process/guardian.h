// Ends a group of processes when this process has ended, however that came: killed, it can end
// nobody any more. The system can end a child with its parent (PR_SET_PDEATHSIG), but not what that
// child has started.
#pragma once

#include <sys/types.h>

namespace autoschedule_gpu {

// A process of its own, in the group that it guards: as long as it is there, no other group has
// that id. It ends with its owner, or with the group when somebody kills that.
class Guardian {
public:
    Guardian() = default;
    ~Guardian();
    Guardian(const Guardian &) = delete;
    Guardian &operator=(const Guardian &) = delete;

    // From here on, the group is killed when the calling thread ends. `group`: of a child that
    // nobody has waited for. If false, errno says why. Once for each guardian.
    bool watch_over(pid_t group);

private:
    pid_t process_ = -1;
};

}  // namespace autoschedule_gpu
