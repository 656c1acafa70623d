#include "records/records_verbs.h"

#include <unistd.h>

#include <iostream>

#include "common/terminal_width.h"
#include "core/support/file.h"
#include "core/support/utc_time.h"
#include "lab/records/best_records.h"
#include "lab/records/record_export.h"
#include "lab/records/record_json.h"
#include "present/terminal.h"
#include "records/records_tables.h"

namespace autoschedule_gpu {
namespace {

constexpr double kSecondsPerDay = 86400;

int fail(const Error &error, int code = kFailed) {
    return fail_records(error.message, code);
}

int write_trace(const std::vector<Champion> &champions, const std::string &path) {
    if (champions.size() != 1) {
        return fail_records(
            "--trace: expected one pipeline in one environment, found " +
                std::to_string(champions.size()) +
                "; --pipeline, --size, --device, --driver, --gpu and --halide choose",
            kBadUsage);
    }
    const TuningRecord &record = champions[0].record;
    if (record.trace.empty())
        return fail_records("the record of " + record.pipeline.name + " has no trace", kFailed);
    const Status written = write_file(path, record.trace);
    return written ? 0 : fail(written.error());
}

std::string text_of(const Table &table) {
    return terminal_text(table, terminal_width(STDOUT_FILENO).value_or(kTerminalColumns));
}

}  // namespace

int list_records(RecordStore &store, const RecordsOptions &a) {
    RecordFilter filter = a.filter;
    if (a.failed) filter.outcome = RecordOutcome::failed;
    Table table = record_table("Records");
    const Status visited = store.visit(filter, [&](const TuningRecord &record) {
        if (a.json) {
            std::cout << to_json(record) << "\n";
        } else {
            add_record(table, record);
        }
        return Status(Ok{});
    });
    if (!visited) return fail(visited.error());
    if (a.json) return 0;
    if (a.failed) {
        const Status added = store.visit_failed_draws(a.filter, [&](const FailedDraw &draw) {
            add_failed_draw(table, draw);
            return Status(Ok{});
        });
        if (!added) return fail(added.error());
    }
    const Result<RecordCounts> counts = store.counts();
    if (!counts) return fail(counts.error());
    std::cout << text_of(table);
    std::cout << "in the file: " << counts_text(*counts) << "\n";
    return 0;
}

int show_best(RecordStore &store, const RecordsOptions &a) {
    const Result<std::vector<Champion>> champions = find_champions(store, a.filter);
    if (!champions) return fail(champions.error());
    if (champions->empty()) return fail_records("no measured record of that kind", kFailed);
    if (!a.trace.empty()) {
        if (const int code = write_trace(*champions, a.trace); code != 0) return code;
    }
    std::cout << text_of(champion_table(*champions));
    return 0;
}

int export_records(RecordStore &store, const RecordsOptions &a) {
    if (a.out.empty() && a.samples.empty())
        return fail_records("--out or --samples is required", kBadUsage);
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

int merge_records(RecordStore &store, const RecordsOptions &a) {
    for (const std::string &other : a.others) {
        const Result<MergeCounts> counts = store.merge_from(other);
        if (!counts) return fail(counts.error());
        std::cout << other << ": " << counts->added << " records added, " << counts->known
                  << " known, " << counts->conflicting << " with another outcome, which were not "
                  << "taken; " << counts->draws_added << " draws added\n";
    }
    return 0;
}

int verify_records(RecordStore &store, const RecordsOptions &) {
    const Result<std::vector<std::string>> problems = store.verify();
    if (!problems) return fail(problems.error());
    for (const std::string &problem : *problems) std::cout << problem << "\n";
    if (!problems->empty()) return kFailed;
    std::cout << store.path() << ": all is well\n";
    return 0;
}

int prune_records(RecordStore &store, const RecordsOptions &a) {
    if (!a.keep && !a.failed && !a.older_than_days) {
        return fail_records("prune: --keep, --failed or --older-than-days is required", kBadUsage);
    }
    PruneRule rule{.keep_fastest = a.keep,
                   .failed = a.failed ? FailedRecords::drop : FailedRecords::keep};
    if (a.older_than_days) {
        rule.recorded_before = utc_text(unix_seconds_now() - *a.older_than_days * kSecondsPerDay);
    }
    Table table = record_table("To go");
    int prunable = 0;
    const Status visited = store.visit_prunable(rule, [&](const TuningRecord &record) {
        add_record(table, record);
        ++prunable;
        return Status(Ok{});
    });
    if (!visited) return fail(visited.error());
    if (a.dry_run) {
        std::cout << text_of(table) << prunable << " records would be removed\n";
        return 0;
    }
    Result<RecordStore> writable = RecordStore::open(store.path(), StoreAccess::read_write);
    if (!writable) return fail(writable.error());
    store = std::move(writable).value();
    if (Status pruned = store.prune(rule); !pruned) return fail(pruned.error());
    std::cout << prunable << " records removed\n";
    return 0;
}

}  // namespace autoschedule_gpu
