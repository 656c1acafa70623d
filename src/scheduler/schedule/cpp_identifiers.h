// Names of a pipeline as identifiers of C++.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

// A legal C++ identifier that resembles `name`, is no keyword, no name that the header declares
// itself and none that a standard header is likely to define as a macro.
std::string cpp_identifier(std::string_view name);

// The name of a loop without Halide's counter: "r4$x", a dimension of an RDom that has no name, to
// "r$x".
std::string without_counter(const std::string &loop);

// How the text looks a loop of a stage up; it finds another one there after a split.
std::string loop_variable(const std::string &stage, int loop);

// Identifiers of the whole text: no two things share one, so nothing is ever shadowed.
class Identifiers {
public:
    std::string unique(std::string_view name) {
        const std::string base = cpp_identifier(name);
        std::string candidate = base;
        for (int i = 2; !used_.insert(candidate).second; ++i) {
            candidate = base + (base.back() == '_' ? "" : "_") + std::to_string(i);
        }
        return candidate;
    }

    // A scope gives back on leave() what was taken after enter().
    void enter() { outer_ = used_; }
    void leave() { used_ = outer_; }

private:
    std::set<std::string> used_, outer_;
};

}  // namespace autoschedule_gpu
