// records: what the tuner remembers, shown, exported, merged and kept small. Parses arguments and
// calls records_verbs.h.

#include "common/command_line.h"
#include "records/records_verbs.h"

namespace {

using namespace autoschedule_gpu;

void add_filter(CLI::App &verb, RecordFilter &filter) {
    verb.add_option("--pipeline", filter.pipeline, "only of this one: app:harris");
    verb.add_option("--size", filter.size, "only at this size");
    verb.add_option("--device", filter.device, "only of this device, as its driver calls it");
    verb.add_option("--driver", filter.driver, "only of this version of its driver");
    verb.add_option("--gpu", filter.gpu, "only of schedules for this one");
    verb.add_option("--halide", filter.halide, "only of this version of Halide");
}

void add_list(CLI::App &verb, RecordsOptions &a) {
    add_filter(verb, a.filter);
    verb.add_flag("--failed", a.failed,
                  "only failures, with the draws that led to no code, which have no record");
    verb.add_flag("--json", a.json, "a JSON object per line and record, with every field");
}

void add_best(CLI::App &verb, RecordsOptions &a) {
    add_filter(verb, a.filter);
    verb.add_option("--trace", a.trace, "where to write the schedule, if one is left, as JSON");
}

void add_export(CLI::App &verb, RecordsOptions &a) {
    add_filter(verb, a.filter);
    verb.add_option("--out", a.out,
                    "a file for measurements of one device, or a folder for a file per device: "
                    "what `replay:FILE` takes as a device");
    verb.add_option("--samples", a.samples,
                    "a file of samples for retrain_cost_model, to whose end they are added");
    verb.add_option("--model", a.model,
                    "of --samples: the GPU that features are for, where the records' gpu is no "
                    "name of a preset or path of a file");
}

void add_merge(CLI::App &verb, RecordsOptions &a) {
    verb.add_option("files", a.others, "files of records to merge into --records")->required();
}

void add_verify(CLI::App &, RecordsOptions &) {}

void add_prune(CLI::App &verb, RecordsOptions &a) {
    constexpr int kMostRecords = 1'000'000'000, kMostDays = 100'000;
    verb.add_option("--keep", a.keep, "removes all but so many of the fastest")
        ->check(CLI::Range(0, kMostRecords));
    verb.add_flag("--failed", a.failed, "removes failures");
    verb.add_option("--older-than-days", a.older_than_days, "removes what is older")
        ->check(CLI::Range(0.0, double{kMostDays}));
    verb.add_flag("--dry-run", a.dry_run, "only says what would be removed");
}

struct Verb {
    const char *name;
    const char *help;
    StoreAccess access;
    void (*add_options)(CLI::App &verb, RecordsOptions &options);
    int (*run)(RecordStore &store, const RecordsOptions &options);
};

constexpr Verb kVerbs[] = {
    {"list", "shows records", StoreAccess::read_only, add_list, list_records},
    {"best", "shows the fastest of each pipeline in each environment, and what tuning gained",
     StoreAccess::read_only, add_best, show_best},
    {"export", "writes records in other formats", StoreAccess::read_only, add_export,
     export_records},
    {"merge", "adds the records of other files, whose known ones stay as they are",
     StoreAccess::read_write, add_merge, merge_records},
    {"verify", "looks for damage", StoreAccess::read_only, add_verify, verify_records},
    {"prune",
     "removes records; never the winner of a pipeline and environment, and no time of the "
     "schedule that needed no tuning",
     StoreAccess::read_only, add_prune, prune_records},
};

int run(const Verb &verb, const RecordsOptions &options) {
    // Files to merge from come first, for --records is made where there is none.
    for (const std::string &other : options.others) {
        const Result<RecordStore> is_one = RecordStore::open(other, StoreAccess::read_only);
        if (!is_one) return fail_records(is_one.error().message, kBadUsage);
    }
    Result<RecordStore> opened = RecordStore::open(options.records, verb.access);
    if (!opened) return fail_records(opened.error().message, kBadUsage);
    RecordStore store = std::move(opened).value();
    return verb.run(store, options);
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "records",
        .what = "What the tuner remembers: a file of what became of every schedule that it tried. "
                "Each verb has a --help of its own.",
        .examples = "records list --records FILE --pipeline app:harris --failed\n"
                    "records best --records FILE --pipeline app:harris --device 'NVIDIA H200' "
                    "--trace T.json\n"
                    "records export --records FILE --out harris.jsonl --samples tuned.samples\n"
                    "records merge OTHER... --records FILE\n"
                    "records prune --records FILE --keep 100 --older-than-days 30 --dry-run",
        .statuses = "0 done, 1 failed (verify: there is damage), 2 bad usage, or a file that is "
                    "none of records",
    });
    RecordsOptions options;
    for (int i = 0; i < argc; ++i) options.command += (i ? " " : "") + std::string(argv[i]);
    line.app().require_subcommand(1);
    const Verb *chosen = nullptr;
    for (const Verb &verb : kVerbs) {
        CLI::App *command = line.app().add_subcommand(verb.name, verb.help);
        command->add_option("--records", options.records, "the file of records")->required();
        verb.add_options(*command, options);
        command->callback([&chosen, &verb] { chosen = &verb; });
    }
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(*chosen, options);
}
