#include "plugins/autoscheduler/records_warning.h"

#include <algorithm>

#include "plugins/autoscheduler/refusal_warning.h"

namespace autoschedule_gpu {
namespace {

// "H200, V100"; of many the first few.
std::string some_of(const std::set<std::string> &texts) {
    constexpr size_t kMost = 4;
    std::string list;
    size_t listed = 0;
    for (const std::string &text : texts) {
        if (listed == kMost) break;
        list += (listed++ == 0 ? "" : ", ") + text;
    }
    const size_t left = texts.size() - listed;
    return left == 0 ? list : list + " and " + std::to_string(left) + " more";
}

}  // namespace

std::string no_record_warning(const std::string &path, const RecordedFor &wanted,
                              const std::set<RecordedFor> &has) {
    std::set<std::string> gpus, others;
    for (const RecordedFor &one : has) {
        if (one.pipeline_hash == wanted.pipeline_hash) {
            gpus.insert(one.gpu);
        } else {
            others.insert(one.pipeline + " " + one.size + " for " + one.gpu);
        }
    }
    std::string text = "autoscheduler.records: " + path +
                       " has no schedule of this pipeline at this size for " + wanted.gpu;
    if (!gpus.empty()) {
        text += ", but for " + some_of(gpus) + ", which autoscheduler.gpu can name";
    } else if (!others.empty()) {
        text += ", but these, of other pipelines or sizes: " + some_of(others);
    }
    return text + ". One is searched for.";
}

std::string unusable_records_warning(const std::string &path, size_t count,
                                     const std::string &why_last) {
    return "autoscheduler.records: no schedule of this pipeline in " + path +
           " can be used, so one is searched for (" + std::to_string(count) +
           " were refused). The last was refused because: " + first_line(why_last);
}

}  // namespace autoschedule_gpu
