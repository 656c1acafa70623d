#include "core/lowered/loop_names.h"

#include <cctype>
#include <cstdlib>

namespace autoschedule_gpu {

std::string device_function_name(const std::string &loop) {
    std::string name = "_kernel_";
    for (const char c : loop) {
        if (c == '$') {
            name += "__";
        } else {
            name += c == '.' ? '_' : c;
        }
    }
    return name;
}

std::string func_of_loop(const std::string &loop) {
    for (size_t dot = loop.find(".s"); dot != std::string::npos; dot = loop.find(".s", dot + 1)) {
        size_t end = dot + 2;
        while (end < loop.size() && std::isdigit(static_cast<unsigned char>(loop[end])) != 0) end++;
        if (end > dot + 2 && end < loop.size() && loop[end] == '.') return loop.substr(0, dot);
    }
    return loop.substr(0, loop.find('.'));
}

int stage_of_loop(const std::string &loop) {
    const size_t digits = func_of_loop(loop).size() + 2;
    return digits < loop.size() ? std::atoi(loop.c_str() + digits) : 0;
}

}  // namespace autoschedule_gpu
