#include "core/support/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace autoschedule_gpu {

namespace {

namespace fs = std::filesystem;

std::string reason_of(int code) {
    return std::strerror(code);
}

// Of this process, as /dev/stdout and /dev/fd/3 are. Where it is a file, another one in its place
// would not be what is written to next.
std::optional<int> open_descriptor(const fs::path &path) {
    const Result<std::string> descriptors = canonical_path("/proc/self/fd");
    const Result<std::string> folder = canonical_path(path.parent_path());
    if (!descriptors || !folder || *descriptors != *folder) return std::nullopt;
    const std::string name = path.filename().string();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    return descriptor;
}

// Where the links lead that stand at `path`: to something, to a name that is still free, or to an
// open descriptor.
Result<fs::path> end_of_links(fs::path path) {
    constexpr int kMostLinks = 40;  // as many as the system itself follows
    std::error_code code;
    for (int i = 0; i < kMostLinks; ++i) {
        const bool is_link = fs::symlink_status(path, code).type() == fs::file_type::symlink;
        if (!is_link || open_descriptor(path)) return path;
        const fs::path target = fs::read_symlink(path, code);
        if (code) return Error{code.message()};
        path = path.parent_path() / target;
    }
    return Error{reason_of(ELOOP)};
}

// What is there is not replaced but written to: a device, a pipe, a socket.
bool is_special(const fs::path &path) {
    std::error_code ignored;
    return fs::is_other(path, ignored);
}

Error not_written() {
    return Error{"could not write it: " + reason_of(errno)};
}

Status write_to(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(file, text.data(), text.size());
        if (n < 0 && errno != EINTR) return not_written();
        if (n > 0) text.remove_prefix(static_cast<size_t>(n));
    }
    return Ok{};
}

Status write_to(const std::string &path, int flags, std::string_view text) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
    if (file < 0) return Error{"could not open it: " + reason_of(errno)};
    const Status done = write_to(file, text);
    if (close(file) != 0 && done) return not_written();
    return done;
}

// Writes beside `path`, then renames.
Status replace(const std::string &path, std::string_view text) {
    const std::string beside = path + ".tmp" + std::to_string(getpid());
    Status done = write_to(beside, O_CREAT | O_TRUNC, text);
    if (done && std::rename(beside.c_str(), path.c_str()) != 0) {
        done = Error{"could not replace it: " + reason_of(errno)};
    }
    if (!done) std::remove(beside.c_str());
    return done;
}

Status named(const std::string &path, const Status &done) {
    if (done) return done;
    return Error{path + ": " + done.error().message};
}

}  // namespace

Result<std::string> read_file(const std::string &path) {
    std::error_code ignored;
    std::ifstream file(path, std::ios::binary);
    if (!file || fs::is_directory(path, ignored)) {
        return Error{path + ": cannot be read"};
    }
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return Error{path + ": cannot be read"};
    return text;
}

Status write_file(const std::string &path, std::string_view text) {
    const Result<fs::path> end = end_of_links(path);
    if (!end) return named(path, end.error());
    if (const auto descriptor = open_descriptor(*end)) {
        return named(path, write_to(*descriptor, text));
    }
    if (is_special(*end)) return named(path, write_to(end->string(), 0, text));
    return named(path, replace(end->string(), text));
}

Status can_write_file(const std::string &path) {
    const auto cannot = [&](const std::string &why) {
        return Error{path + ": cannot be written: " + why};
    };
    const Result<fs::path> end = end_of_links(path);
    if (!end) return cannot(end.error().message);
    if (const auto descriptor = open_descriptor(*end)) {
        const int flags = fcntl(*descriptor, F_GETFL);
        const bool writes = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
        return writes ? Status(Ok{}) : cannot(reason_of(EBADF));
    }
    if (is_special(*end)) {
        return access(end->c_str(), W_OK) == 0 ? Status(Ok{}) : cannot(reason_of(errno));
    }
    if (is_folder(*end)) return cannot(reason_of(EISDIR));
    // The file comes to be in its folder. Only making one there shows that it can: not every file
    // system that refuses tells so before.
    std::string folder = end->parent_path().string();
    if (folder.empty()) folder = ".";
    std::string probe = folder + "/.can_write_XXXXXX";
    const int file = mkstemp(probe.data());
    if (file < 0) return cannot("its folder, " + folder + ": " + reason_of(errno));
    close(file);
    std::remove(probe.c_str());
    return Ok{};
}

Status can_read_file(const std::string &path) {
    if (is_folder(path)) return Error{path + ": cannot be read: " + reason_of(EISDIR)};
    if (access(path.c_str(), R_OK) != 0) {
        return Error{path + ": cannot be read: " + reason_of(errno)};
    }
    return Ok{};
}

bool is_there(const std::string &path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool is_folder(const std::string &path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool is_regular_file(const std::string &path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

std::string absolute_path(const std::string &path) {
    std::error_code code;
    const fs::path absolute = fs::absolute(path, code);
    return code ? path : absolute.string();
}

Result<std::string> canonical_path(const std::string &path) {
    std::error_code code;
    std::string found = fs::weakly_canonical(absolute_path(path), code).string();
    if (code) return Error{path + ": " + code.message()};
    if (found.size() > 1 && found.ends_with('/')) found.pop_back();
    return found;
}

bool is_same_file(const std::string &a, const std::string &b) {
    const Result<std::string> first = canonical_path(a), second = canonical_path(b);
    return first && second ? *first == *second : absolute_path(a) == absolute_path(b);
}

void remove_file(const std::string &path) {
    if (!is_regular_file(path)) return;
    std::error_code ignored;
    const Result<fs::path> end = end_of_links(path);
    if (end && !open_descriptor(*end)) fs::remove(*end, ignored);
}

void remove_folder(const std::string &path) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
}

}  // namespace autoschedule_gpu
