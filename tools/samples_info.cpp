// samples_info: what files of features hold. Parses arguments, calls src/compare/explain, prints.
#include <iostream>

#include "common/command_line.h"
#include "compare/explain/feature_file.h"

namespace {

using namespace autoschedule_gpu;

struct Arguments {
    std::vector<std::string> files;
    bool json = false;
};

int run(const Arguments &arguments) {
    std::string text;
    for (const std::string &path : arguments.files) {
        const Result<FeatureFile> file = read_feature_file(path);
        if (!file) {
            std::cerr << "samples_info: " << file.error().message << "\n";
            return kBadUsage;
        }
        if (arguments.json && !text.empty()) text += ",\n";
        text += arguments.json ? feature_file_json(*file) : feature_file_text(*file);
    }
    std::cout << (arguments.json ? "[" + text + "]\n" : text);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "samples_info",
        .what = "What files hold: origin, counts, and every feature by name. A features-file is a "
                "featurization, as a generator writes it with `-e featurization`, or samples.",
        .examples = "samples_info out/unsharp.featurization"
                    "\n"
                    "samples_info --json A100.samples",
        .statuses = "0 shown, 2 bad usage, or a file that cannot be read or is damaged",
    });
    Arguments arguments;
    line.app()
        .add_option("features-file", arguments.files, "featurizations and sample files")
        ->required();
    line.app().add_flag("--json", arguments.json, "a JSON array with an object per file");
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(arguments);
}
