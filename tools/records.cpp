// records: what the tuner remembers, shown, exported, merged and kept small. Parses arguments,
// calls src/records, prints.
#include <CLI/CLI.hpp>
#include <iostream>

#include "compare/terminal.h"
#include "one_line_errors.h"
#include "records/champions.h"
#include "records/record_json.h"
#include "records/record_store.h"
#include "records_export.h"
#include "records_tables.h"
#include "support/file.h"
#include "support/utc_time.h"

namespace {

using namespace autoschedule_gpu;

constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr double kSecondsPerDay = 86400;

struct Arguments {
    std::string records;
    RecordFilter filter;
    bool failed = false, json = false, dry_run = false;
    std::string trace, out, samples, model;
    std::vector<std::string> others;
    std::optional<int64_t> keep;
    std::optional<double> older_than_days;
    std::string command;
};

int fail(const std::string &message, int code) {
    std::cerr << "records: " << message << "\n";
    return code;
}

int fail(const Error &error, int code = kFailed) {
    return fail(error.message, code);
}

int list(RecordStore &store, const Arguments &a) {
    RecordFilter filter = a.filter;
    if (a.failed) filter.outcome = RecordOutcome::failed;
    std::vector<TableLine> lines;
    const Status visited = store.visit(filter, [&](const TuningRecord &record) {
        if (a.json) {
            std::cout << to_json(record) << "\n";
        } else {
            lines.push_back(record_line(record));
        }
        return Status(Ok{});
    });
    if (!visited) return fail(visited.error());
    if (a.json) return 0;
    const Result<RecordCounts> counts = store.counts();
    if (!counts) return fail(counts.error());
    if (!lines.empty()) std::cout << terminal_text(record_table(std::move(lines), "Records"));
    std::cout << "in the file: " << counts_text(*counts) << "\n";
    return 0;
}

int write_trace(const std::vector<Champion> &champions, const std::string &path) {
    if (champions.size() != 1) {
        return fail("--trace: expected one pipeline in one environment, found " +
                        std::to_string(champions.size()) +
                        "; --pipeline, --size, --device, --driver and --gpu choose",
                    kBadInput);
    }
    const TuningRecord &record = champions[0].record;
    if (record.trace.empty())
        return fail("the record of " + record.pipeline.name + " has no trace", kFailed);
    const Status written = write_file(path, record.trace);
    return written ? 0 : fail(written.error());
}

int best(RecordStore &store, const Arguments &a) {
    const Result<std::vector<Champion>> champions = find_champions(store, a.filter);
    if (!champions) return fail(champions.error());
    if (champions->empty()) return fail("no measured record of that kind", kFailed);
    if (!a.trace.empty()) {
        if (const int code = write_trace(*champions, a.trace); code != 0) return code;
    }
    std::cout << terminal_text(champion_table(*champions));
    return 0;
}

int export_records(RecordStore &store, const Arguments &a) {
    if (a.out.empty() && a.samples.empty())
        return fail("--out or --samples is required", kBadInput);
    if (!a.out.empty()) {
        const auto written = export_measurements(store, a.filter, a.out);
        if (!written) return fail(written.error());
        std::cout << a.out << ": " << written->written << " measurements\n";
    }
    if (a.samples.empty()) return 0;
    const auto written = export_samples(store, a.filter, a.model, a.command, a.samples);
    if (!written) return fail(written.error());
    std::cout << a.samples << ": " << written->written << " samples added; " << written->left_out
              << " records have no features of this version\n";
    return 0;
}

int merge(RecordStore &store, const Arguments &a) {
    for (const std::string &other : a.others) {
        const Result<MergeCounts> counts = store.merge_from(other);
        if (!counts) return fail(counts.error());
        std::cout << other << ": " << counts->added << " records added, " << counts->known
                  << " known, " << counts->conflicting << " with another outcome, which were not "
                  << "taken; " << counts->draws_added << " draws added\n";
    }
    return 0;
}

int verify(RecordStore &store, const Arguments &) {
    const Result<std::vector<std::string>> problems = store.verify();
    if (!problems) return fail(problems.error());
    for (const std::string &problem : *problems) std::cout << problem << "\n";
    if (!problems->empty()) return kFailed;
    std::cout << store.path() << ": all is well\n";
    return 0;
}

int prune(RecordStore &store, const Arguments &a) {
    PruneRule rule{.keep_fastest = a.keep,
                   .failed = a.failed ? FailedRecords::drop : FailedRecords::keep};
    if (a.older_than_days) {
        rule.recorded_before = utc_text(unix_seconds_now() - *a.older_than_days * kSecondsPerDay);
    }
    std::vector<TableLine> lines;
    const Status visited = store.visit_prunable(rule, [&](const TuningRecord &record) {
        lines.push_back(record_line(record));
        return Status(Ok{});
    });
    if (!visited) return fail(visited.error());
    const std::string count = std::to_string(lines.size());
    if (a.dry_run) {
        if (!lines.empty()) std::cout << terminal_text(record_table(std::move(lines), "To go"));
        std::cout << count << " records would be removed\n";
        return 0;
    }
    Result<RecordStore> writable = RecordStore::open(store.path(), StoreAccess::read_write);
    if (!writable) return fail(writable.error());
    store = std::move(writable).value();
    if (Status pruned = store.prune(rule); !pruned) return fail(pruned.error());
    std::cout << count << " records removed\n";
    return 0;
}

void add_filter(CLI::App &verb, RecordFilter &filter) {
    verb.add_option("--pipeline", filter.pipeline, "only of this one: app:harris");
    verb.add_option("--size", filter.size, "only at this size");
    verb.add_option("--device", filter.device, "only of this device, as its driver calls it");
    verb.add_option("--driver", filter.driver, "only of this version of its driver");
    verb.add_option("--gpu", filter.gpu, "only of schedules for this one");
}

void add_list(CLI::App &verb, Arguments &a) {
    add_filter(verb, a.filter);
    verb.add_flag("--failed", a.failed, "only failures");
    verb.add_flag("--json", a.json, "a JSON object per line, with every field");
}

void add_best(CLI::App &verb, Arguments &a) {
    add_filter(verb, a.filter);
    verb.add_option("--trace", a.trace, "where to write the schedule, if one is left, as JSON");
}

void add_export(CLI::App &verb, Arguments &a) {
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

void add_merge(CLI::App &verb, Arguments &a) {
    verb.add_option("files", a.others, "files of records to merge into --records")->required();
}

void add_verify(CLI::App &, Arguments &) {}

void add_prune(CLI::App &verb, Arguments &a) {
    verb.add_option("--keep", a.keep, "removes all but so many of the fastest")
        ->check(CLI::NonNegativeNumber);
    verb.add_flag("--failed", a.failed, "removes failures");
    verb.add_option("--older-than-days", a.older_than_days, "removes what is older")
        ->check(CLI::NonNegativeNumber);
    verb.add_flag("--dry-run", a.dry_run, "only says what would be removed");
}

struct Verb {
    const char *name;
    const char *help;
    StoreAccess access;
    void (*add_options)(CLI::App &verb, Arguments &arguments);
    int (*run)(RecordStore &store, const Arguments &arguments);
};

constexpr Verb kVerbs[] = {
    {"list", "shows records", StoreAccess::read_only, add_list, list},
    {"best", "shows the fastest of each pipeline in each environment, and what tuning gained",
     StoreAccess::read_only, add_best, best},
    {"export", "writes records in other formats", StoreAccess::read_only, add_export,
     export_records},
    {"merge", "adds the records of other files, whose known ones stay as they are",
     StoreAccess::read_write, add_merge, merge},
    {"verify", "looks for damage", StoreAccess::read_only, add_verify, verify},
    {"prune",
     "removes records; never the fastest of a pipeline and environment, and no time of the "
     "schedule that needed no tuning",
     StoreAccess::read_only, add_prune, prune},
};

int run(const Verb &verb, const Arguments &arguments) {
    Result<RecordStore> opened = RecordStore::open(arguments.records, verb.access);
    if (!opened) return fail(opened.error().message, kBadInput);
    RecordStore store = std::move(opened).value();
    return verb.run(store, arguments);
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "What the tuner remembers: a file of what became of every schedule that it tried.\n"
        "Each verb has a --help of its own. For instance\n"
        "  records list --records FILE --pipeline app:harris --failed\n"
        "  records best --records FILE\n"
        "  records best --records FILE --pipeline app:harris --device 'NVIDIA H200' --trace "
        "T.json\n"
        "  records export --records FILE --out harris.jsonl --samples tuned.samples\n"
        "  records merge OTHER... --records FILE\n"
        "  records prune --records FILE --keep 100 --older-than-days 30 --dry-run\n"
        "Exit status: 0 done, 1 failed (verify: there is damage), 2 bad usage, or a file that is\n"
        "none of records.");
    Arguments arguments;
    for (int i = 0; i < argc; ++i) arguments.command += (i ? " " : "") + std::string(argv[i]);
    app.require_subcommand(1);
    show_errors_in_one_line(app, "records");
    const Verb *chosen = nullptr;
    for (const Verb &verb : kVerbs) {
        CLI::App *command = app.add_subcommand(verb.name, verb.help);
        command->add_option("--records", arguments.records, "the file of records")->required();
        verb.add_options(*command, arguments);
        command->callback([&chosen, &verb] { chosen = &verb; });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadInput;
    }
    return run(*chosen, arguments);
}
