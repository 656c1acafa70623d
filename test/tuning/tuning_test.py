"""autotune: its results, its records, replay, traces, workers, options.

usage: tuning_test.py BIN_FOLDER TUNE_SH AUTOTUNE_LOOP_SH GENERATORS TOP5_FOLDER

What test_top5_measures_the_best_of_a_batch finds stays in TOP5_FOLDER: others start from there.
"""

import contextlib
import json
import pathlib
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from tuned import Tuned, interrupted

Tuned.BIN, EXAMPLE, LOOP, GENERATORS, KEPT = (pathlib.Path(sys.argv.pop(1)) for _ in range(5))

TOP5 = ("--mode", "top5", "--batch", "8", "--seed", "1")


class Tuning(Tuned):
    def test_the_example_of_the_readme(self):
        result = subprocess.run(["bash", EXAMPLE, self.BIN, self.folder], capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        out = self.folder / "tuned"
        summary = self.summary(out)
        self.assertEqual(summary["trials"], 24)
        self.assertLessEqual(summary["best"]["median_ms"], summary["default"]["median_ms"])
        self.assertIn("apply_schedule_unsharp", (out / "unsharp.schedule.h").read_text())
        self.assertIn("Convergence", (out / "unsharp.html").read_text())
        self.assertTrue((self.folder / "unsharp.o").exists())  # by its command
        self.assertIn("app:unsharp", result.stdout)
        self.assertEqual(list(out.glob("work*")), [])

    def test_top5_measures_the_best_of_a_batch(self):
        self.tune(*TOP5)
        self.check_records()
        # The default schedule and a whole batch, all of other code.
        self.assertEqual(len({event["code_hash"] for event in self.events("trial")}), 1 + 8)
        shutil.rmtree(KEPT, ignore_errors=True)
        shutil.copytree(self.folder, KEPT)

    def start_from_top5(self):
        """As if this test had made that call."""
        shutil.copytree(KEPT, self.folder, dirs_exist_ok=True)

    def test_a_second_call_measures_nothing_again_and_decides_the_same(self):
        self.start_from_top5()
        records, journal = self.check_records(), self.journal()
        self.tune(*TOP5)
        self.assertEqual(self.listed(), records)
        self.assertEqual(self.journal(), journal)

    def test_what_failed_in_the_finals_had_been_measured_before(self):
        """As a run leaves it in the records: the next call decides the same, and it fails again."""
        self.start_from_top5()
        trials, finalists = self.events("trial"), self.events("finalist")
        compared = {record["code_hash"]: record["compared_ms"] for record in self.listed()}
        # Without one of those that went on to a further part, that part is another one.
        losers = [finalist for finalist in finalists if finalist["schedule"] != "default" and
                  all(len(part.split()) == 2 for part in compared[finalist["code_hash"]])]
        if not losers:
            self.skipTest("on this machine all finalists went on, as close as they were")
        loser = losers[-1]
        with contextlib.closing(sqlite3.connect(self.records)) as records, records:
            of_loser = (int.from_bytes(bytes.fromhex(loser["code_hash"]), "big", signed=True),)
            found = records.execute("SELECT id FROM records WHERE code_hash = ?", of_loser).fetchone()
            records.execute("UPDATE records SET median_ms = NULL, failure_kind = 'crash', "
                            "failure_reason = 'it ended', failure_command = '', failure_output = '' "
                            "WHERE id = ?", found)
            records.execute("DELETE FROM samples WHERE record = ? AND comparison <> ''", found)
        before = self.check_records()
        self.tune(*TOP5)
        self.assertEqual(self.listed(), before)
        self.assertEqual(self.events("trial"), trials)
        finalists.remove(loser)
        self.assertEqual(self.events("finalist"), finalists)

    def test_finals_are_run_again_where_more_rounds_are_asked_for(self):
        self.start_from_top5()
        self.tune(*TOP5, "--final-rounds", "5")
        finalists = {event["code_hash"] for event in self.events("finalist")}
        rounds = {len(times) for record in self.listed() if record["code_hash"] in finalists
                  for name, times in record["compared_ms"].items() if len(name.split()) == 2}
        self.assertEqual(rounds, {5}, "of the first part of the finals")
        records = self.listed()
        self.tune(*TOP5)  # three are asked for
        self.assertEqual(self.listed(), records)

    def test_a_run_is_replayed_decision_for_decision(self):
        self.start_from_top5()
        options = (*TOP5, "--strategy", "coordinate_descent", "--budget", "16t")
        self.tune(*options)
        again = self.folder / "again"
        self.tune(*options, "--device", f"replay:{self.records}", "--records",
                  self.folder / "none", out=again)
        self.assertEqual(self.journal(again), self.journal())
        self.assertEqual(self.schedule(again), self.schedule())
        self.assertFalse((self.folder / "none").exists())

    def test_a_run_that_ctrl_c_ended_is_replayed_up_to_there(self):
        """In a comparison, or while schedules are priced: neither is in the records. Each run has
        records of its own: a replay can't tell what this run drew from what another had drawn."""
        budget = ("--final-rounds", "3", "--budget", "40t")
        for options, doing in (((*TOP5, "--strategy", "coordinate_descent"), "comparing "),
                               (("--strategy", "genetic", "--batch", "6"), "pricing ")):
            self.start_from_top5()
            out, again = self.folder / doing.strip(), self.folder / f"{doing.strip()} again"
            interrupted(self.command(*options, *budget, out=out),
                        lambda line: doing in line and not re.search(r"\([01] measured", line))
            self.tune(*options, *budget, "--device", f"replay:{self.records}", "--records",
                      self.folder / "none", out=again)
            self.assertEqual(self.journal(again), self.journal(out))

    def test_a_line_of_progress_is_not_repeated_at_once(self):
        """As of pricing, which a search does many times in a second, but every eight seconds."""
        told = self.tune("--strategy", "evolutionary", "--batch", "4", "--budget", "6t").stderr
        line = re.compile(r"(\d+/\d+), (\d+) s so far(?:, [^:]* left)?: (.*?)(?:; left: .*)?")
        shown = [match.groups() for match in map(line.fullmatch, told.splitlines()) if match]
        self.assertTrue(any("pricing schedules" in doing for _, _, doing in shown), told)
        for (done, at, doing), (next_done, next_at, next_doing) in zip(shown, shown[1:]):
            if (done, doing) == (next_done, next_doing):
                self.assertGreaterEqual(int(next_at) - int(at), 7, f"{done}: {doing}")

    def test_the_records_have_what_was_predicted(self):
        """By the model that the run had when it tried them: as in the journal."""
        self.tune("--strategy", "random", "--batch", "2", "--budget", "3t")
        told = {event["code_hash"]: event["predicted_ms"] for event in self.events("trial")
                if event["outcome"] == "measured"}
        self.assertGreater(len(told), 1)
        self.assertNotIn(None, told.values())
        self.assertEqual({record["code_hash"]: record["predicted_ms"] for record in self.listed()
                          if record["code_hash"] in told}, told)

    def test_inputs_are_those_that_were_asked_for(self):
        """And an output that is constant for them is told of: it may be meant so."""
        unknown = self.call("--budget", "1t", "--input", "alpha=0:1", app="harris")
        self.assertNotEqual(unknown.returncode, 0)
        self.assertIn("the pipeline has no input alpha to be filled; it has: input",
                      unknown.stderr)
        usual = self.tune("--budget", "1t", app="harris")
        self.assertNotIn("are the same", usual.stderr)
        black = self.tune("--budget", "1t", "--input", "input=-1e9:1:clamp_below=0", app="harris")
        self.assertIn("the reference of app:harris at tiny: all elements of its output output are "
                      "the same", black.stderr)

    def test_what_was_verified_less_strictly_is_verified_again(self):
        self.tune("--budget", "1t", "--integer-steps", "2")
        loose = self.check_records()
        self.assertEqual({record["integer_steps"] for record in loose}, {2})
        self.tune("--budget", "1t")
        strict = self.check_records()
        self.assertEqual({record["integer_steps"] for record in strict}, {0})
        self.assertEqual({record["code_hash"] for record in strict},
                         {record["code_hash"] for record in loose})
        # What is right within less is right within more.
        self.tune("--budget", "1t", "--integer-steps", "1")
        self.assertEqual(self.listed(), strict)

    def test_a_replay_ends_where_the_recording_does(self):
        """Though its budget would let it go on, as one in time may, which had ended the run."""
        options = ("--strategy", "random", "--batch", "4", "--budget")
        self.tune(*options, "4t")
        again = self.folder / "again"
        replayed = self.tune(*options, "9t", "--device", f"replay:{self.records}", "--records",
                             self.folder / "none", out=again)
        self.assertEqual(self.journal(again), self.journal())
        self.assertEqual(self.summary(again)["trials"], 4)
        self.assertIn("the recording ends here", replayed.stdout)

    def test_a_call_that_goes_on_says_how_much_was_known(self):
        options = ("--strategy", "random", "--batch", "4", "--budget")
        self.assertIn(": 3 trials, ", self.tune(*options, "3t").stdout)
        more = self.tune(*options, "5t").stdout
        self.assertIn(": 5 trials (3 known from earlier calls), ", more)

    def test_more_measurements_are_never_worse(self):
        # Of the usual application random draws find too few different schedules to train on.
        app = "depthwise_separable_conv"

        def tune(mode, *options):
            self.tune("--mode", mode, "--batch", "12", "--seed", "1", *options, app=app,
                      out=self.folder / mode)

        def events(mode, kind):
            return self.events(kind, app=app, out=self.folder / mode)

        tune("one-shot")
        tune("top5")
        tune("autotune", "--iterations", "2")
        self.assertEqual(len(events("autotune", "retrained")), 1)

        def least(mode):
            return min(e["median_ms"] for e in events(mode, "trial") if e["median_ms"])

        self.assertLessEqual(least("top5"), least("one-shot"))
        self.assertLessEqual(least("autotune"), least("top5"))

    def test_another_run_starts_from_the_best_that_is_known(self):
        self.start_from_top5()
        self.tune("--strategy", "coordinate_descent", "--budget", "6t", "--seed", "2",
                  out=self.folder / "second")
        trials = self.events("trial", out=self.folder / "second")
        self.assertEqual(trials[0]["schedule"], "default")
        self.assertRegex(trials[1]["schedule"], "^record [0-9a-f]{16}$")
        self.assertEqual(len(trials), 6)
        self.assertEqual(self.schedule(self.folder / "second")[1], self.best_trace())
        # The earlier best has a place in the budget of a batch, too; where there is no place for
        # it, it is the winner all the same.
        for budget in (3, 1):
            out = self.folder / f"of_{budget}"
            self.tune("--mode", "top5", "--batch", "8", "--budget", f"{budget}t", "--seed", "3",
                      out=out)
            self.assertEqual(len(self.events("trial", out=out)), budget)
            self.assertEqual(self.schedule(out)[1], self.best_trace())

    def test_goes_on_from_the_record_that_it_began_with(self):
        """Though another of them is the best by now, as after finals that measured them again."""
        self.start_from_top5()
        options = ("--strategy", "coordinate_descent", "--budget", "3t", "--seed")
        self.tune(*options, "2")
        began_with = self.events("trial")[1]["schedule"]
        code = int.from_bytes(bytes.fromhex(began_with.removeprefix("record ")), "big", signed=True)
        with contextlib.closing(sqlite3.connect(self.records)) as records, records:
            records.execute("UPDATE samples SET ms = 1024 * ms WHERE record = "
                            "(SELECT id FROM records WHERE code_hash = ?)", (code,))
            records.execute("UPDATE records SET median_ms = 1024 * median_ms "
                            "WHERE code_hash = ?", (code,))
        self.tune(*options, "2")
        self.assertEqual(self.events("trial")[1]["schedule"], began_with)
        self.tune(*options, "4", out=self.folder / "another")
        another = self.events("trial", out=self.folder / "another")[1]["schedule"]
        self.assertNotEqual(another, began_with)

    def test_the_plugin_uses_the_records(self):
        self.start_from_top5()
        command = shlex.split((self.out / "unsharp.command.txt").read_text())
        folder = self.folder / "by_records"
        folder.mkdir()
        command = [word for word in command if not word.startswith("autoscheduler.trace=")]
        report = folder / "report.json"
        command += [f"autoscheduler.records={self.records}", f"autoscheduler.trace_out={folder}/t",
                    f"autoscheduler.report={report}"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        self.assertEqual((folder / "t").read_bytes(), self.best_trace())
        self.assertEqual(self.schedule()[1], self.best_trace())
        explained = json.loads(report.read_text())
        self.assertEqual(explained["chosen"], "trace")
        self.assertTrue(explained["predictions"], "records have the decisions")
        # A pipeline of which there are none is searched for.
        wider = [word if not word.startswith("width=") else "width=48" for word in command]
        searched = subprocess.run(wider, cwd=folder, check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(report.read_text())["chosen"], "search")
        self.assertIn(f"{self.records} has no schedule of this pipeline at this size for",
                      searched.stdout + searched.stderr)
        self.assertIn("of other pipelines or sizes: app:unsharp", searched.stdout + searched.stderr)
        # So is one whose schedules can't be used.
        with contextlib.closing(sqlite3.connect(self.records)) as records, records:
            records.execute("UPDATE records SET trace = '{}'")
        searched = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(report.read_text())["chosen"], "search")
        self.assertIn(f"no schedule of this pipeline in {self.records} can be used",
                      searched.stdout + searched.stderr)
        none = [word if not word.startswith("autoscheduler.records=")
                else f"autoscheduler.records={report}" for word in command]
        refused = subprocess.run(none, cwd=folder, capture_output=True, text=True)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("autoscheduler.records", refused.stderr)

    def own(self, *options):
        """A generator of the user's own, which has estimates and a schedule that fits no CPU."""
        command = [self.BIN / "autotune", "--generator", GENERATORS, "--param", "gpu=true",
                   "--device", "opencl", "--mode", "one-shot", "--batch", "3", "--final-rounds", "3",
                   "--records", self.records, "--export", self.out, *options]
        return subprocess.run(command, capture_output=True, text=True)

    def test_a_generator_needs_nothing_but_estimates(self):
        several = self.own()
        self.assertEqual(several.returncode, 2)
        self.assertIn("there are: blur, mixed", several.stderr)
        tuned = self.own("--generator-name", "blur")
        self.assertEqual(tuned.returncode, 0, tuned.stderr[-2000:])
        self.assertIn("  page ", tuned.stdout.splitlines()[-1])

    def test_a_trace_gives_the_schedule_back(self):
        self.start_from_top5()
        trace = self.out / "unsharp.trace.json"
        again = self.folder / "again"
        self.tune("--trace", trace, out=again)
        self.assertEqual(self.schedule(again), self.schedule())
        other = self.call("--trace", trace, app="harris")
        self.assertEqual(other.returncode, 2)
        self.assertIn("of another pipeline", other.stderr)
        damaged = self.folder / "damaged.json"
        damaged.write_text(trace.read_text().replace('"gpu_blocks"', '"unroll"', 1))
        refused = self.call("--trace", damaged)
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, "directive [0-9]+")

    def test_ctrl_c_exports_the_best_so_far(self):
        # A terminal sends it, and a program that has started this one hands it on.
        done = interrupted(self.command("--batch", "200"),
                           lambda line: " measured" in line and "(0 measured" not in line, times=2)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("to go on: autotune --app unsharp", done.stdout)
        self.assertTrue((self.out / "unsharp.schedule.h").exists())
        self.assertTrue(self.summary()["interrupted"])
        self.check_records()

    def test_ctrl_c_before_anything_is_measured_says_how_to_go_on(self):
        done = interrupted(self.command("--queue"), lambda line: "jobs wait" in line)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        self.assertIn("interrupted; to go on: autotune --app unsharp", done.stdout)

    def test_workers_measure_and_one_that_is_killed_loses_nothing(self):
        options = ("--mode", "autotune", "--batch", "6", "--iterations", "1", "--seed", "1")
        tuner = subprocess.Popen(self.command(*options, "--queue"), stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        while not self.records.exists():
            time.sleep(0.05)
        worker = [self.BIN / "autotune", "worker", "--records", self.records, "--idle", "5"]
        workers = [subprocess.Popen(worker, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    text=True) for _ in range(2)]
        for line in workers[0].stderr:
            if "strategy=" in line:
                workers[0].kill()
                break
        for process in workers:
            process.communicate()
        tuner.communicate()
        self.assertEqual([p.returncode for p in workers], [-signal.SIGKILL, 0])
        self.assertEqual(tuner.returncode, 0)
        self.check_records()
        by_workers = {e["schedule"] for e in self.events("trial") if e["outcome"] != "duplicate"}
        self.records = self.folder / "alone.records"
        self.tune(*options, out=self.folder / "alone")
        alone = self.events("trial", out=self.folder / "alone")
        self.assertEqual(by_workers, {e["schedule"] for e in alone if e["outcome"] != "duplicate"})

    def test_the_loop_goes_on_with_what_is_not_done(self):
        # One of the applications has no generator.
        apps = self.folder / "apps"
        for name, described in [("unsharp", "unsharp"), ("nonsense", "unsharp"),
                                ("harris", "harris")]:
            (apps / name).mkdir(parents=True)
            shutil.copy(self.BIN.parent / "apps" / described / "app.json", apps / name)
        loop = ["bash", LOOP, "--bin", self.BIN, "--device", "opencl", "--budget", "3t", "--out",
                self.out, "unsharp", "nonsense", "harris", "--", "--size", "tiny", "--apps-folder",
                apps]
        first = subprocess.run(loop, capture_output=True, text=True)
        self.assertEqual(first.returncode, 1)
        self.assertIn("failed: nonsense", first.stderr)
        self.assertTrue((self.out / "unsharp.schedule.h").exists())
        self.assertTrue((self.out / "harris.schedule.h").exists())
        second = subprocess.run(loop, capture_output=True, text=True)
        self.assertIn(f"unsharp is done; remove {self.out}/unsharp.done to tune it again",
                      second.stdout)

    def test_the_loop_knows_all_names_before_it_tunes_any(self):
        for more in ((), ("--", "--apps-folder", self.BIN.parent / "apps")):
            result = subprocess.run(["bash", LOOP, "--bin", self.BIN, "--out", self.out, "unsharp",
                                     "nosuch", *more], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("no application 'nosuch'; there are: ", result.stderr)
            self.assertIn(" unsharp", result.stderr)
        self.assertFalse(self.out.exists())

    def test_bad_usage_is_one_line(self):
        for options, message in [
                (("--mode", "top6"), "expected one-shot, top5 or autotune, found 'top6'"),
                (("--strategy", "luck"), "expected batch, coordinate_descent, "),
                (("--budget", "soon"), "found 'soon'"),
                (("--origin", "far"), "expected best, default or plain, found 'far'"),
                (("--confidence", "1"), "--confidence"),
                (("--device", "none"), "expected cuda, opencl or replay:FILE, found 'none'"),
                (("--generator", "x"), "found both"),
                (("--tolerance", "-1"), "--tolerance"),
                (("--integer-steps", "some"), "--integer-steps"),
                (("--input", "input=1:0"), "--input: expected \"least\" below \"greatest\""),
                (("--sampler", "dice"), "expected mixed or paper, found 'dice'"),
                (("--size", "huge"), "--size: unsharp has no size 'huge'; it has: "),
                (("--app", "blurr"), "--app: no application 'blurr'"),
                (("--export", self.folder / "a=1"), "--export: generators take no path with '='"),
                (("--weights", "/none"), "/none")]:
            result = self.call(*options)
            self.assertEqual(result.returncode, 2, options)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(message, result.stderr)
        own = subprocess.run([self.BIN / "autotune", "--generator", self.BIN / "unsharp.generator",
                              "--size", "tiny", "--device", "opencl", "--export", self.out],
                             capture_output=True, text=True)
        self.assertEqual(own.returncode, 2)
        self.assertIn("--size: a generator of your own has no sizes", own.stderr)
        self.records.write_text("no records")
        result = self.call(*TOP5)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(self.records.read_text(), "no records")

    def test_an_error_on_the_way_exports_what_was_measured(self):
        generator = self.folder / "unsharp.generator"
        generator.write_text(f"""#!/bin/sh
case "$*" in *candidates_out*) echo "licence server not reachable" >&2; exit 1;; esac
exec "{(self.BIN / 'unsharp.generator').resolve()}" "$@"
""")
        generator.chmod(0o755)
        result = subprocess.run([
            self.BIN / "autotune", "--generator", generator, "--generator-name", "unsharp",
            "--param", "width=24", "--param", "height=20", "--device", "opencl", "--strategy",
            "evolutionary", "--budget", "8t", "--records", self.records, "--export", self.out],
            capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stderr)
        last = result.stderr.splitlines()[-1]
        self.assertIn("schedules can't be priced: ", last)
        self.assertIn("to go on: autotune --generator", last)
        summary = self.summary()
        self.assertGreaterEqual(summary["measured"], 1)
        self.assertIn("schedules can't be priced: ", summary["error"])
        self.assertTrue((self.out / "unsharp.schedule.h").exists())

    def test_records_that_can_t_be_are_found_before_anything_is_compiled(self):
        nowhere = self.folder / "none"
        for records, message in [(nowhere / "x.records", f"there is no folder {nowhere}"),
                                 (self.folder, "found a folder")]:
            result = self.call(*TOP5, "--records", records)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"{records}: ", result.stderr)
            self.assertIn(message, result.stderr)
            self.assertNotIn("computing the reference", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
