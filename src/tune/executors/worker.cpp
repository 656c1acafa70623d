#include "tune/executors/worker.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/support/file_stamp.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "core/support/parallel.h"
#include "core/support/stopwatch.h"
#include "lab/records/work_queue.h"
#include "lab/records/worker_name.h"
#include "tune/executors/device_executor.h"

namespace autoschedule_gpu {
namespace {

constexpr std::chrono::milliseconds kLookForWork{200};

// Extends a lease for as long as it lives, from a thread and a connection of its own.
class Heartbeat {
public:
    Heartbeat(const std::string &records, const Job &job, const std::string &worker,
              std::chrono::seconds lease)
        : thread_([=, this] { beat(records, job, worker, lease); }) {}
    ~Heartbeat() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }
    Heartbeat(const Heartbeat &) = delete;
    Heartbeat &operator=(const Heartbeat &) = delete;

private:
    // A lease that can't be extended runs out, and what was measured is in the records.
    void beat(const std::string &records, const Job &job, const std::string &worker,
              std::chrono::seconds lease) {
        Result<RecordStore> store = RecordStore::open(records, StoreAccess::read_write);
        if (!store) return;
        RecordStore opened = std::move(store).value();
        WorkQueue queue(opened);
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, lease / 3, [this] { return is_over_; })) {
            (void)queue.extend(job, worker, static_cast<double>(lease.count()));
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    bool is_over_ = false;
    std::thread thread_;
};

// A pipeline on which this worker has worked before, on a device and by one build of its generator.
struct Workplace {
    Workload workload;
    std::unique_ptr<TrialBench> bench;
    std::unique_ptr<DeviceExecutor> executor;
};

std::string text_of(const Environment &environment) {
    return "the device " + environment.device + " (driver " + environment.driver +
           ", scheduled for as " + environment.gpu + "), Halide " + environment.halide +
           " and version " + environment.plugin + " of the plugin, with features " +
           to_hex(environment.feature_schema);
}

// Tells generators apart that were built at one place, one after the other.
std::string stamp_of(const std::string &path) {
    Hasher stamp;
    add_file_stamp(stamp, path);
    return to_hex(stamp.value());
}

// Whoever tunes for one may be answered by another of the same.
std::string place_of(const TuneJob &job) {
    return job.session + "\n" + job.workload.pipeline + "\n" + std::string(to_string(job.device)) +
           "\n" + job.gpu + "\n" + job.target + "\n" + stamp_of(job.workload.generator);
}

class Worker {
public:
    Worker(const WorkerSettings &settings, RecordStore &store)
        : settings_(settings), store_(store), queue_(store), pool_(1) {}

    Result<int> run() {
        int done = 0;
        Stopwatch idle;
        while (!(settings_.stop && settings_.stop())) {
            const Result<int64_t> released = queue_.release_dead(host_identity(), is_alive);
            if (!released) return released.error();
            const auto job = queue_.lease(name_, static_cast<double>(settings_.lease.count()));
            if (!job) return job.error();
            if (!*job) {
                const Result<int64_t> unfinished = queue_.unfinished();
                if (!unfinished) return unfinished.error();
                if (*unfinished > 0) idle = Stopwatch();  // others work; more may come of it
                if (idle.seconds() > static_cast<double>(settings_.idle.count())) break;
                std::this_thread::sleep_for(kLookForWork);
                continue;
            }
            if (Status finished = finish(**job); !finished) return finished.error();
            ++done;
            idle = Stopwatch();
        }
        return done;
    }

private:
    Status finish(const Job &job) {
        const Heartbeat heartbeat(settings_.records, job, name_, settings_.lease);
        JobAnswer answer;
        const Result<TuneJob> parsed = parse_job(job.text);
        if (!parsed) {
            answer.error = parsed.error().message;
        } else if (const Result<JobAnswer> done = answer_to(*parsed); done) {
            answer = *done;
        } else {
            answer.error = done.error().message;
        }
        if (settings_.log && !answer.error.empty()) settings_.log(answer.error);
        const Result<bool> finished = queue_.finish(job, name_, to_json(answer));
        if (!finished) return finished.error();
        return Ok{};
    }

    Result<JobAnswer> answer_to(const TuneJob &job) {
        if (settings_.log) {
            settings_.log(job.workload.pipeline + ": " +
                          (job.draws.empty() ? "what device is this" : job.draws[0].schedule));
        }
        const Result<DeviceExecutor *> place = executor_for(job);
        if (!place) return place.error();
        DeviceExecutor &executor = **place;
        const Environment &here = executor.tuned().environment;
        if (job.kind == JobKind::learn) {
            return JobAnswer{.learnt = executor.tuned()};
        }
        if (here != job.expected) {
            return Error{"it has " + text_of(here) + ", but what is tuned for has " +
                         text_of(job.expected)};
        }
        if (executor.tuned().pipeline.hash != job.pipeline_hash) {
            return Error{"its generator makes another pipeline of " + job.workload.pipeline +
                         " than the tuner's"};
        }
        Result<std::vector<Trial>> tried = attempt(executor, job.draws, job.best_ms);
        if (!tried) return tried.error();
        if (job.kind == JobKind::attempt) return JobAnswer{};
        std::vector<Trial> trials = std::move(tried).value();
        std::vector<Trial *> compared;
        for (Trial &trial : trials) compared.push_back(&trial);
        const auto times = executor.compare(compared, job.comparison);
        if (!times) return times.error();
        return JobAnswer{};
    }

    Result<DeviceExecutor *> executor_for(const TuneJob &job) {
        Workplace &place = places_[place_of(job)];
        if (place.executor) return place.executor.get();
        Result<TrialBenchSettings> found = settings_.bench(job);
        if (!found) return found.error();
        TrialBenchSettings settings = std::move(found).value();
        // No two have one: a folder is emptied when it is opened.
        settings.folder = settings_.folder + "/" + std::to_string(++folders_);
        place.workload = job.workload;
        auto bench = TrialBench::open(settings, place.workload);
        if (!bench) return Error{bench.error().reason};
        place.bench = std::move(bench).value();
        auto executor = DeviceExecutor::open(
            {.session = job.session, .halide = settings_.halide, .plugin = settings_.plugin},
            {*place.bench, place.workload, store_, pool_});
        if (!executor) return executor.error();
        place.executor = std::move(executor).value();
        return place.executor.get();
    }

    const WorkerSettings &settings_;
    RecordStore &store_;
    WorkQueue queue_;
    ThreadPool pool_;
    const std::string name_ = own_worker_name();
    std::map<std::string, Workplace> places_;
    int folders_ = 0;  // that were made
};

}  // namespace

Result<int> work(const WorkerSettings &settings) {
    Result<RecordStore> opened = RecordStore::open(settings.records, StoreAccess::read_write);
    if (!opened) return opened.error();
    RecordStore store = std::move(opened).value();
    return Worker(settings, store).run();
}

}  // namespace autoschedule_gpu
