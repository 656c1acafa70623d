#include "lab/records/worker_name.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace autoschedule_gpu {
namespace {

struct ProcessStatus {
    char state = 'X';
    std::string start = "0";  // clock ticks from the machine's start to the process's

    bool has_ended() const { return state == 'Z' || state == 'X' || state == 'x'; }
};

// Reads fields 3 and 22 of proc(5)'s /proc/PID/stat. The name in field 2 may hold anything, even
// ')'.
ProcessStatus status_of(const std::string &pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const size_t name_end = text.rfind(')');
    ProcessStatus status;
    if (name_end == std::string::npos) return status;
    std::istringstream fields(text.substr(name_end + 1));
    fields >> status.state;
    for (int field = 4; field <= 22; ++field) fields >> status.start;
    return status;
}

std::string first_line(const char *path) {
    std::string line;
    std::ifstream file(path);
    std::getline(file, line);
    return line;
}

}  // namespace

std::string host_identity() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) name = {"unknown"};
    std::error_code ignored;
    const std::string processes =
        std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
    std::string digits;
    std::copy_if(processes.begin(), processes.end(), std::back_inserter(digits),
                 [](char c) { return c >= '0' && c <= '9'; });
    std::string host = std::string(name.data()) + "/" +
                       first_line("/proc/sys/kernel/random/boot_id").substr(0, 8) + "/" + digits;
    std::replace(host.begin(), host.end(), ':', '_');
    return host;
}

std::string own_worker_name() {
    return host_identity() + ":" + std::to_string(getpid()) + ":" + status_of("self").start;
}

bool is_alive(const std::string &worker_name) {
    const size_t host_end = worker_name.find(':');
    const size_t pid_end = worker_name.find(':', host_end + 1);
    if (host_end == std::string::npos || pid_end == std::string::npos) return false;
    if (worker_name.substr(0, host_end) != host_identity()) return false;
    const ProcessStatus status =
        status_of(worker_name.substr(host_end + 1, pid_end - host_end - 1));
    return !status.has_ended() && status.start == worker_name.substr(pid_end + 1);
}

}  // namespace autoschedule_gpu
