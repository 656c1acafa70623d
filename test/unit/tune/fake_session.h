// A session over a fake executor.
#pragma once

#include <functional>
#include <utility>

#include "core/gpu/gpu_model.h"
#include "fake_executor.h"
#include "tune/session/session.h"
#include "unit/lab/workloads/example_workloads.h"

namespace autoschedule_gpu {

struct FakeSession {
    FakeSession(FakeExecutor::Point start, int size, FakeExecutor::Time time, Budget budget = {},
                TimeLimit *limit = nullptr)
        : executor(std::move(start), size, std::move(time)),
          session({.workload = workload,
                   .gpu = gpu,
                   .executor = executor,
                   .journal = journal,
                   .budget = budget,
                   .limit = limit,
                   .id = "test",
                   .folder = "",
                   .progress =
                       [this](const TuneState &state) {
                           if (progress) progress(state);
                       },
                   .stop = [this] { return stop; }},
                  {}) {}

    std::vector<Journal::Event> events(const std::string &kind) const {
        std::vector<Journal::Event> found;
        for (const Journal::Event &event : journal.events()) {
            if (event.at("event") == kind) found.push_back(event);
        }
        return found;
    }

    Workload workload = example_workload("app:fake", "full");
    GpuModel gpu = *find_preset("A100");
    FakeExecutor executor;
    Journal journal{""};
    std::function<void(const TuneState &)> progress = {};
    bool stop = false;
    Session session;
};

}  // namespace autoschedule_gpu
