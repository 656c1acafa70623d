// Files and small programs of a test, in a folder that goes when the test ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/process/temporary_folder.h"

namespace autoschedule_gpu {

class Scratch {
public:
    std::string path(const std::string &name) const { return (folder_.path() / name).string(); }

    std::string write(const std::string &name, const std::string &text) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

    // A shell script that can be run as a program.
    std::string program(const std::string &name, const std::string &body) const {
        const std::string file = write(name, "#!/bin/sh\n" + body + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }

private:
    TemporaryFolder folder_ = TemporaryFolder::create("autoschedule_gpu_test_").value();
};

inline std::string environment(const char *name) {
    const char *value = std::getenv(name);
    return value ? value : "";
}

inline std::string text_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace autoschedule_gpu
