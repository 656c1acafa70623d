#include "halide/lower/compiled_kernels.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>
#include <utility>
#include <variant>

namespace autoschedule_gpu {
namespace {

// It ends with the process that waits for it, whose time is limited.
constexpr double kTimeLimitS = 3600;

std::string to_text(const Compiled &compiled) {
    if (compiled.refused) return "refused\n" + *compiled.refused;
    if (compiled.defect) return "defect\n" + *compiled.defect;
    if (!compiled.usage) return "unknown\n" + compiled.usage.error().message;
    std::ostringstream out;
    out << "usage\n";
    for (const auto &[registers, spills] : *compiled.usage)
        out << registers << ' ' << spills << '\n';
    return out.str();
}

std::optional<Compiled> parse_compiled(const std::string &text) {
    std::istringstream in(text);
    std::string kind;
    if (!std::getline(in, kind)) return std::nullopt;
    const std::string rest = text.substr(std::min(text.size(), kind.size() + 1));
    if (kind == "refused") return Compiled{.refused = rest};
    if (kind == "defect") return Compiled{.refused = {}, .defect = rest};
    if (kind == "unknown") return Compiled{.refused = {}, .usage = Error{rest}};
    if (kind != "usage") return std::nullopt;
    std::vector<CodeCheck::Usage> usage;
    CodeCheck::Usage one;
    while (in >> one.registers >> one.spill_bytes) usage.push_back(one);
    return Compiled{.refused = {}, .usage = std::move(usage)};
}

Compiled of_outcome(const ApartOutcome &outcome) {
    const auto *ended = std::get_if<Ended>(&outcome);
    if (ended == nullptr)
        return {.refused = {}, .usage = Error{"a process that compiles kernels hangs"}};
    return parse_compiled(ended->text)
        .value_or(Compiled{.refused = "Halide " + ending_text(ended->status) +
                                      " while compiling kernels"});
}

}  // namespace

// Those that compute most values take longest: each goes to who has fewer so far.
std::vector<size_t> CompiledKernels::share(const std::vector<KernelLaunch> &kernels,
                                           const std::vector<size_t> &asked, CompiledBy by) {
    is_others_.assign(asked.size(), false);
    if (by == CompiledBy::this_process || asked.size() < 2) return asked;
    std::vector<size_t> order(asked.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto values = [&](size_t i) { return kernels[asked[i]].values; };
    std::ranges::stable_sort(order, std::greater<>(), values);
    int64_t here = 0, there = 0;
    for (const size_t i : order) {
        is_others_[i] = there < here;
        (is_others_[i] ? there : here) += values(i);
    }
    const Twin::Side side = twin_.fork_now();
    if (side == Twin::Side::alone) is_others_.assign(asked.size(), false);
    std::vector<size_t> mine;
    for (size_t i = 0; i < asked.size(); ++i) {
        if (is_others_[i] == (side == Twin::Side::second)) mine.push_back(asked[i]);
    }
    return mine;
}

Compiled CompiledKernels::together(Compiled mine) {
    if (twin_.side() == Twin::Side::second) twin_.report(to_text(mine));
    if (twin_.side() == Twin::Side::alone || mine.refused || mine.defect) return mine;
    Compiled others = of_outcome(twin_.hear(kTimeLimitS));
    if (others.refused || others.defect || !others.usage) return others;
    if (!mine.usage) return mine;
    std::vector<CodeCheck::Usage> usage;
    auto next_here = mine.usage->begin(), next_there = others.usage->begin();
    for (const bool is_others : is_others_) {
        usage.push_back(is_others ? *next_there++ : *next_here++);
    }
    return {.refused = {}, .usage = std::move(usage)};
}

}  // namespace autoschedule_gpu
