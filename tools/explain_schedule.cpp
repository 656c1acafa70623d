// explain_schedule: the autoscheduler's JSON report as tables or as a page; two reports beside each
// other.
#include <iostream>

#include "common/command_line.h"
#include "compare/explain/explain.h"
#include "compare/explain/explain_page.h"
#include "compare/explain/schedule_difference.h"
#include "core/support/file.h"

namespace {

using namespace autoschedule_gpu;

struct Request {
    std::string report, html;
    std::vector<std::string> two;  // none, or both
};

Result<std::string> explained(const Request &request) {
    const Result<std::string> json = read_file(request.report);
    if (!json) return json;
    const Result<std::string> text =
        request.html.empty() ? explain_report(*json) : explain_page(*json);
    if (!text) return Error{request.report + ": " + text.error().message};
    return text;
}

Result<std::string> compared(const Request &request) {
    const Result<std::string> a = read_file(request.two[0]), b = read_file(request.two[1]);
    if (!a) return a;
    if (!b) return b;
    const NamedReport first{request.two[0], *a}, second{request.two[1], *b};
    return request.html.empty() ? difference_as_text(first, second)
                                : difference_as_page(first, second);
}

// To the file, or to the terminal.
Status show(const Request &request) {
    const Result<std::string> text = request.two.empty() ? explained(request) : compared(request);
    if (!text) return text.error();
    if (!request.html.empty()) return write_file(request.html, *text);
    std::cout << *text;
    return Ok{};
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "explain_schedule",
        .what = "What a search did and what it chose: counters, times, rejections, kernels, "
                "loop nest. FILE is what a generator wrote for autoscheduler.report=FILE; with "
                "autoscheduler.explain beside it, it also has what else could have been decided.",
        .examples = "my.generator -g blur -o out -e schedule -p libautoschedule_gpu.so "
                    "target=host-cuda autoscheduler=GPU autoscheduler.report=out/report.json"
                    "\n"
                    "explain_schedule out/report.json"
                    "\n"
                    "explain_schedule --html out/page.html out/report.json"
                    "\n"
                    "explain_schedule --diff before.json after.json",
        .statuses = "0 shown, 1 FILE is no such report, 2 bad usage",
    });
    Request request;
    CLI::App &app = line.app();
    auto *file = app.add_option("report", request.report, "of autoscheduler.report")
                     ->check(CLI::ExistingFile);
    auto *two = app.add_option("--diff", request.two, "what differs between two reports")
                    ->type_name("A B")
                    ->expected(2)
                    ->check(CLI::ExistingFile)
                    ->excludes(file);
    app.add_option("--html", request.html, "write a page to this file instead")->type_name("OUT");
    app.callback([&] {
        if (file->count() + two->count() == 0) throw CLI::RequiredError("report, or --diff,");
    });
    if (const auto done = line.parse(argc, argv)) return *done;
    const Status shown = show(request);
    if (shown) return 0;
    std::cerr << "explain_schedule: " << shown.error().message << "\n";
    return 1;
}
