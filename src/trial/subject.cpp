#include "trial/subject.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "contest/split_list.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kRandom = "random:";
constexpr std::string_view kApps = "apps";
constexpr int64_t kMostSeed = 1'000'000'000;

struct Seeds {
    int64_t first = 0, last = -1;
};

std::optional<int64_t> parse_number(std::string_view text) {
    int64_t number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || stop != end || number < 0 || number > kMostSeed) return std::nullopt;
    return number;
}

// "20" is 0 to 19, "20-39" is itself.
std::optional<Seeds> parse_seeds(std::string_view text) {
    const size_t dash = text.find('-');
    const std::optional<int64_t> first = parse_number(text.substr(0, dash));
    if (!first) return std::nullopt;
    if (dash == std::string_view::npos) {
        return *first > 0 ? std::optional(Seeds{0, *first - 1}) : std::nullopt;
    }
    const std::optional<int64_t> last = parse_number(text.substr(dash + 1));
    if (!last || *last < *first) return std::nullopt;
    return Seeds{*first, *last};
}

Subject random_subject(int64_t seed, const SubjectSource &source) {
    return {.pipeline = std::string(kRandom) + std::to_string(seed),
            .size = source.work,
            .generator = source.random_generator,
            .generator_name = "random_pipeline",
            .params = {{"seed", std::to_string(seed)}, {"work", source.work}}};
}

Result<Subject> app_subject(const Application &application, const SubjectSource &source) {
    Result<NamedValues> params = size_parameters(application, source.app_size);
    if (!params) return params.error();
    return Subject{.pipeline = "app:" + application.name,
                   .size = source.app_size,
                   .generator = application.generator,
                   .generator_name = application.name,
                   .params = std::move(params).value(),
                   .tolerance = application.tolerance};
}

Result<std::vector<Subject>> parse_part(const std::string &part, const SubjectSource &source) {
    std::vector<Subject> subjects;
    if (part.starts_with(kRandom)) {
        const std::optional<Seeds> seeds = parse_seeds(part.substr(kRandom.size()));
        if (!seeds) return Error{"expected random:N or random:FIRST-LAST, found '" + part + "'"};
        for (int64_t seed = seeds->first; seed <= seeds->last; ++seed) {
            subjects.push_back(random_subject(seed, source));
        }
        return subjects;
    }
    const bool all = part == kApps;
    if (!all && !part.starts_with(std::string(kApps) + ":")) {
        return Error{"expected random:N, random:FIRST-LAST, apps, apps:NAME,NAME or both, found '" +
                     part + "'"};
    }
    const auto chosen =
        choose_applications(source.applications, all ? "all" : part.substr(kApps.size() + 1));
    if (!chosen) return chosen.error();
    for (const Application &application : *chosen) {
        Result<Subject> subject = app_subject(application, source);
        if (!subject) return subject.error();
        subjects.push_back(std::move(subject).value());
    }
    return subjects;
}

}  // namespace

Result<std::vector<Subject>> parse_subjects(std::string_view text, const SubjectSource &source) {
    std::vector<Subject> subjects;
    for (const std::string &part : split_list(text == "both" ? "random:100+apps" : text, '+')) {
        Result<std::vector<Subject>> some = parse_part(part, source);
        if (!some) return some.error();
        for (const Subject &subject : *some) {
            const bool twice = std::any_of(
                subjects.begin(), subjects.end(),
                [&](const Subject &other) { return other.pipeline == subject.pipeline; });
            if (!twice) subjects.push_back(subject);
        }
    }
    if (subjects.empty()) return Error{"no pipeline was named; random:20 is twenty random ones"};
    return subjects;
}

}  // namespace autoschedule_gpu
