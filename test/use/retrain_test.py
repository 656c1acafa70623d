"""retrain_cost_model: the commands of weights/README.md, determinism, refusals, bad input, Ctrl-C.

usage: retrain_test.py RETRAIN_COST_MODEL WRITE_SYNTHETIC_SAMPLES RETRAIN_SH HOLD_OUT_SH
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

TOOL, WRITER, SCRIPT, HOLD_OUT_SCRIPT = sys.argv[1:]
del sys.argv[1:]


class RetrainCostModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # Devices that do not exist, with times by a hidden rule: seed, pipelines, schedules of each.
        cls.samples = cls.write("a.samples", "A", 1, 12, 40)
        cls.other_samples = cls.write("b.samples", "B", 2, 7, 30)
        # Of these pipelines of any number of stages six are applications.
        cls.app_samples = cls.write("apps.samples", "A", 3, 14, 20, 0, 6)

    @classmethod
    def write(cls, name, device, *numbers):
        path = cls.folder / name
        subprocess.run([WRITER, path, device, *map(str, numbers)], check=True)
        return path

    def setUp(self):
        self.out = self.folder / (self.id() + ".weights")
        self.report = self.folder / (self.id() + ".json")

    def call(self, *options, **replaced):
        words = {"--samples": self.samples, "--out": self.out, "--report": self.report,
                 "--epochs": 20, "--seeds": 1, **replaced}
        command = [TOOL, *options, *(str(part) for pair in words.items() for part in pair)]
        return subprocess.run(command, capture_output=True, text=True)

    def begin(self, *options):
        """A training without an end, in its first epoch."""
        process = subprocess.Popen([TOOL, *options, "--report", self.report,
                                    "--epochs", "1000000", "--patience", "1000000"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("epoch 1", process.stderr.readline())
        return process

    def interrupt(self, process):
        """What it printed in all, on both streams."""
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=300)

    def card(self):
        return json.loads(self.report.read_text())

    def test_the_commands_of_the_readme(self):
        result = subprocess.run(["bash", SCRIPT, TOOL, self.samples, self.other_samples,
                                 self.folder], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Cost models on synthetic A", result.stdout)
        totals = {}
        for name in ("device", "other"):
            card = json.loads((self.folder / f"{name}.card.json").read_text())
            totals[name] = {pathlib.Path(model["model"]).name: model["total"]["pairwise_accuracy"]
                            for model in card["models"]}
        self.assertGreater(totals["device"]["network"], 0.9)
        self.assertGreater(totals["device"]["network"], totals["device"]["roofline"])
        self.assertGreater(totals["other"]["network"], totals["other"]["device.weights"])
        self.assertIn(b"synthetic B", (self.folder / "other.weights").read_bytes())

    def test_what_is_held_out_is_what_is_judged(self):
        result = subprocess.run(["bash", HOLD_OUT_SCRIPT, TOOL, self.app_samples, self.folder, "10"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        applications = [f"app:{number}" for number in range(6)]
        for name, protocol in (("unseen", "pipelines held out of all trainings: app:0, app:1, app:2 and 3 more"),
                               ("without", "leave-one-application-out")):
            card = json.loads((self.folder / f"{name}.card.json").read_text())
            self.assertEqual(card["protocol"], protocol)
            for model in card["models"]:
                self.assertEqual([p["pipeline"] for p in model["pipelines"]], applications)
            verdict = card["verdict"]
            self.assertIn(verdict["verdict"], ("better", "worse", "undecided"))
            self.assertEqual((verdict["in_use"], verdict["pipelines"], verdict["seeds"]),
                             ("the roofline", 6, 5))
            self.assertLessEqual(verdict["difference"]["low"], verdict["difference"]["mean"])
            self.assertIn(f"verdict: {verdict['text']}\n", result.stdout)
        self.assertEqual(sorted(path.name for path in (self.folder / "without").iterdir()),
                         [f"{number}.weights" for number in range(6)])
        # Each names the pipelines that it was trained on.
        without = (self.folder / "without" / "2.weights").read_bytes()
        self.assertNotIn(b" app:2\n", without)
        self.assertIn(b" app:1\n", without)
        unseen = (self.folder / "unseen.weights").read_bytes()
        self.assertNotIn(b" app:", unseen)
        # The command that is kept in the file can be called again.
        for weights in (unseen, without):
            self.assertNotIn(b"--folds", weights)

    def test_what_cannot_be_held_out_is_refused(self):
        self.assertEqual(self.call(**{"--samples": self.app_samples, "--epochs": 1}).returncode, 0)
        seen = self.out.rename(self.folder / "seen.weights")
        folder = self.folder / "refused"
        folder.mkdir(exist_ok=True)
        (folder / "3.weights").write_text("precious")
        apps = {"--samples": self.app_samples}
        for options, replaced, text in [
                (("--hold-out", "app:7"), apps, "--hold-out: .* no pipeline app:7; there are app:0"),
                (("--hold-out", "synthetic:*", "--hold-out", "app:*"), apps, "two pipelines or more"),
                (("--hold-out", "app:1"), apps | {"--init": seen}, "seen.weights was trained on app:1"),
                (("--leave-one-out",), apps | {"--out": folder}, "3.weights is there already; --force"),
                (("--leave-one-out",), apps | {"--out": self.folder / "none"}, "existing folder"),
                (("--leave-one-out",), {"--out": folder}, "of no application"),
                (("--leave-one-out", "--hold-out", "app:1"), apps, "excludes"),
                (("--leave-one-out", "--folds", "3"), apps, "--folds"),
                (("--hold-out", "app:1", "--folds", "auto"), apps, "--folds"),
                ((), apps | {"--seeds": "0"}, "--seeds")]:
            with self.subTest(options=options, **{k.strip("-"): str(v) for k, v in replaced.items()}):
                result = self.call(*options, **replaced)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr, text)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                self.assertFalse(self.out.exists())
        self.assertEqual((folder / "3.weights").read_text(), "precious")
        self.assertEqual(len(list(folder.iterdir())), 1)

    def test_weights_do_not_depend_on_the_number_of_threads(self):
        weights = []
        for threads in (1, 2, 5):
            out = self.out.with_suffix(f".{threads}")
            result = self.call("--threads", str(threads), **{"--out": out, "--epochs": 3})
            self.assertEqual(result.returncode, 0, result.stderr)
            weights.append(out.read_bytes())
        self.assertEqual(weights[0], weights[1])
        self.assertEqual(weights[0], weights[2])

    def test_the_card_says_how_it_judged(self):
        for folds, protocol, count in [("all", "leave-one-pipeline-out", 12),
                                       ("3", "3 folds of pipelines", 3),
                                       ("auto", "5 folds of pipelines", 5)]:
            with self.subTest(folds=folds):
                result = self.call("--force", **{"--folds": folds, "--epochs": 1})
                self.assertEqual(result.returncode, 0, result.stderr)
                card = self.card()
                self.assertEqual(card["protocol"], protocol)
                self.assertEqual(card["judged_folds"], count)
                self.assertIn(protocol, result.stdout)
                for model in card["models"]:
                    self.assertEqual(len(model["pipelines"]), 12)

    def test_better_weights_are_not_replaced_by_worse_ones(self):
        self.assertEqual(self.call().returncode, 0)
        good = self.out.read_bytes()
        worse = self.call(**{"--epochs": 1, "--learning-rate": 1e-6})
        self.assertEqual(worse.returncode, 1)
        self.assertRegex(worse.stderr, r"kept as it is: .* less than .* --force")
        self.assertEqual(self.out.read_bytes(), good)
        self.assertIn("kept", self.card()["decision"])
        forced = self.call("--force", **{"--epochs": 1, "--learning-rate": 1e-6})
        self.assertEqual(forced.returncode, 0, forced.stderr)
        self.assertNotEqual(self.out.read_bytes(), good)
        # And the other way round, without force; equal weights are not worse, either.
        for _ in range(2):
            self.assertEqual(self.call().returncode, 0)
            self.assertEqual(self.out.read_bytes(), good)

    def test_bad_input_is_one_line_and_loses_nothing(self):
        foreign = self.folder / "foreign"
        foreign.write_text("no weights")
        damaged = self.folder / "damaged.samples"
        bytes_of = bytearray(self.samples.read_bytes())
        bytes_of[len(bytes_of) // 2] ^= 1
        damaged.write_bytes(bytes_of)
        both = self.folder / "both"
        both.mkdir()
        for path in (self.samples, self.other_samples):
            (both / path.name).write_bytes(path.read_bytes())
        single = self.write("single.samples", "A", 3, 1, 10)
        for replaced, text in [({"--samples": "nowhere"}, "nowhere"),
                               ({"--samples": damaged}, r"damaged.samples: record \d+"),
                               ({"--samples": both}, "b.samples: record 0: .*'synthetic A'"),
                               ({"--samples": single}, "two pipelines or more"),
                               ({"--init": foreign}, "ASGW"),
                               ({"--out": foreign}, "ASGW.*--force"),
                               ({"--out": self.folder / "no" / "w"}, "existing folder"),
                               ({"--report": self.folder / "no" / "r"}, "existing folder"),
                               ({"--out": self.folder / ("w" * 300)}, "--out: .*too long"),
                               ({"--report": self.folder / ("r" * 300)}, "--report: .*too long"),
                               ({"--report": self.samples}, "--samples and --report: .*both"),
                               ({"--samples": both, "--report": both / "new.samples"},
                                "--samples and --report: .*both"),
                               ({"--init": foreign, "--report": foreign},
                                "--init and --report: .*both"),
                               ({"--adapt": "heads"}, "--init"),
                               ({"--adapt": "all"}, "heads"),
                               ({"--folds": "1"}, "--folds: .* from 2"),
                               ({"--folds": "3", "--hold-out": "app:harris"}, "--folds"),
                               ({"--loss": "rank"}, "pairwise"),
                               ({"--learning-rate": "2"}, "learning-rate"),
                               ({"--epochs": "0"}, "epochs")]:
            with self.subTest(**{key.strip("-"): str(value) for key, value in replaced.items()}):
                result = self.call(**replaced)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr, text)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                self.assertFalse(self.out.exists())
        self.assertEqual(foreign.read_text(), "no weights")

    def test_weights_of_another_device_are_not_replaced(self):
        self.assertEqual(self.call(**{"--epochs": 1}).returncode, 0)
        result = self.call(**{"--epochs": 1, "--samples": self.other_samples})
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, '"synthetic B".*"synthetic A"')

    def test_an_interrupt_ends_training_and_writes_the_best_weights_so_far(self):
        process = self.begin("--samples", self.samples, "--out", self.out)
        self.interrupt(process)
        self.assertEqual(process.returncode, 0)
        card = self.card()
        self.assertEqual(card["training"]["stop"], "asked")
        self.assertEqual(card["judged_folds"], 0)
        self.assertIn("stopped", card["protocol"])
        self.assertTrue(self.out.exists())

    def test_leave_one_out_tries_before_training_whether_it_can_write(self):
        self.out.mkdir()
        (self.out / "3.weights").mkdir()
        result = self.call("--leave-one-out", "--force", **{"--samples": self.app_samples})
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "--out: .*/3.weights: cannot be written")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertFalse(self.report.exists())

    def test_the_report_replaces_none_of_the_weights(self):
        self.out.mkdir()
        result = self.call("--leave-one-out", **{"--samples": self.app_samples,
                                                 "--report": self.out / "3.weights"})
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "--out and --report: .*3.weights can't be both")
        self.assertEqual(list(self.out.iterdir()), [])

    def test_the_report_comes_even_if_the_weights_cannot_be_written(self):
        folder = self.folder / "soon_gone"
        folder.mkdir()
        process = self.begin("--samples", self.samples, "--out", folder / "a.weights")
        folder.rmdir()
        stdout, stderr = self.interrupt(process)
        self.assertEqual(process.returncode, 1, stderr)
        self.assertRegex(self.card()["decision"], "^not written: .*a.weights")
        self.assertIn("verdict: ", stdout)

    def test_an_interrupt_of_leave_one_out_writes_no_weights_of_a_stopped_training(self):
        self.out.mkdir()
        process = self.begin("--samples", self.app_samples, "--leave-one-out", "--out", self.out)
        self.interrupt(process)
        self.assertEqual(process.returncode, 130)
        card = self.card()
        self.assertEqual((card["folds"], card["judged_folds"]), (6, 0))
        self.assertEqual(card["protocol"], "leave-one-application-out, stopped after 0")
        self.assertEqual(card["decision"], "written, 0 of 6 applications: stopped")
        self.assertIsNone(card["verdict"])
        self.assertEqual(list(self.out.iterdir()), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
