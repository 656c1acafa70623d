#include "core/process/guardian.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace autoschedule_gpu {

namespace {

// What stayed open here would be held open for others: who reads from a pipe waits until nobody can
// write to it, and a lock is free when nobody has its file.
void close_all_files() {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 0U, ~0U, 0U) == 0) return;
#endif
    constexpr long kMostFiles = 1 << 16;  // a limit may be a billion
    const int end = static_cast<int>(std::min(sysconf(_SC_OPEN_MAX), kMostFiles));
    for (int file = 0; file < end; ++file) close(file);
}

// Runs in a fork of a process that may have had other threads: it takes no lock and no memory.
[[noreturn]] void guard(pid_t group, pid_t parent) {
    // What is sent to the group is not for it; this signal hardly anybody sends.
    const int parent_ended = SIGRTMAX;
    sigset_t all, awaited;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    sigemptyset(&awaited);
    sigaddset(&awaited, parent_ended);
    if (setpgid(0, group) != 0 || prctl(PR_SET_PDEATHSIG, parent_ended) != 0) _exit(127);
    close_all_files();
    int received = 0;
    // Else the parent ended before prctl took effect.
    if (getppid() == parent) sigwait(&awaited, &received);
    kill(-group, SIGKILL);
    _exit(0);
}

}  // namespace

Guardian::~Guardian() {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool Guardian::watch_over(pid_t group) {
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) guard(group, parent);
    // Both set the group, so that it has its guardian when either goes on.
    return process_ > 0 && setpgid(process_, group) == 0;
}

}  // namespace autoschedule_gpu
