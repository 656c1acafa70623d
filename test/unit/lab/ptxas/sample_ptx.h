// PTX written for these tests.
#pragma once

#include <string>

namespace autoschedule_gpu {

inline std::string ptx_head(const std::string &target = "sm_75") {
    return ".version 6.5\n.target " + target + "\n.address_size 64\n";
}

// Copies one float per thread.
inline std::string small_kernel(const std::string &name) {
    return "\n.visible .entry " + name + "(.param .u64 p)\n{\n" +
           "  .reg .u64 %a<4>;\n  .reg .u32 %t;\n  .reg .f32 %f;\n"
           "  ld.param.u64 %a0, [p];\n  cvta.to.global.u64 %a1, %a0;\n"
           "  mov.u32 %t, %tid.x;\n  mul.wide.u32 %a2, %t, 4;\n  add.s64 %a3, %a1, %a2;\n"
           "  ld.global.f32 %f, [%a3];\n  st.global.f32 [%a3+4096], %f;\n  ret;\n}\n";
}

// Holds `values` floats across a barrier: more than 64 must spill under -maxrregcount=64.
inline std::string wide_kernel(const std::string &name, int values) {
    std::string text = "\n.visible .entry " + name + "(.param .u64 p)\n{\n" +
                       "  .reg .u64 %a<2>;\n  .reg .f32 %f<" + std::to_string(values) +
                       ">;\n  ld.param.u64 %a0, [p];\n  cvta.to.global.u64 %a1, %a0;\n";
    const auto each = [&](const std::string &before, const std::string &middle, bool store) {
        for (int i = 0; i < values; i++) {
            const std::string at = "[%a1+" + std::to_string(4 * (store ? values - i : i)) + "]";
            const std::string value = "%f" + std::to_string(i);
            text += before + (store ? at + middle + value : value + middle + at) + ";\n";
        }
    };
    each("  ld.volatile.global.f32 ", ", ", false);
    text += "  bar.sync 0;\n";
    each("  st.volatile.global.f32 ", ", ", true);
    return text + "  ret;\n}\n";
}

}  // namespace autoschedule_gpu
