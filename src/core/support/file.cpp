#include "core/support/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace autoschedule_gpu {

Result<std::string> read_file(const std::string &path) {
    std::error_code ignored;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, ignored)) {
        return Error{path + ": cannot be read"};
    }
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return Error{path + ": cannot be read"};
    return text;
}

Status write_file(const std::string &path, std::string_view text) {
    const std::string beside = path + ".tmp" + std::to_string(getpid());
    const auto failed = [&](const std::string &what) {
        const std::string reason = std::strerror(errno);
        std::remove(beside.c_str());
        return Error{path + ": could not " + what + " it: " + reason};
    };
    {
        std::ofstream out(beside, std::ios::binary);
        if (!out) return failed("open");
        out << text;
        out.close();
        if (!out) return failed("write");
    }
    if (std::rename(beside.c_str(), path.c_str()) != 0) return failed("replace");
    return Ok{};
}

void remove_folder(const std::string &path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

}  // namespace autoschedule_gpu
