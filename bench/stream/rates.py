"""Tables, rates of trainings, ages of records, and their summary.

    rates.py table FILE ROWS FEATURES SEED    a table of random numbers with two classes as FILE,
                                              and 100 rows more as its test set
    rates.py train FOLDER COMMAND...          samples a second and processor microseconds a sample
    rates.py once FOLDER TABLE COMMAND...     the same of a table that is read and trained on once
    rates.py ages FOLDER PID COMMAND...       ages of records in ms: median and 99th percentile
    rates.py half LINES MODEL WORKERS         half of the rate with Avro
    rates.py summary LINES                    medians, as a Markdown table
"""

import json
import os
import random
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict

POOL = 65536
TICKS = os.sysconf("SC_CLK_TCK")


def table(file, rows, features, seed):
    """Writes rows that are slices of one sequence of numbers: the sum of a row decides its class."""
    for path, count, first in ((file, int(rows), int(seed)), (test(file), 100, int(seed) + 1)):
        draw = random.Random(first)
        texts = [f"{draw.gauss(0, 1):.7g}" for _ in range(POOL + int(features))]
        sums = [0.0]
        for text in texts:
            sums.append(sums[-1] + float(text))
        with open(path, "w") as out:
            for _ in range(count):
                start = draw.randrange(POOL)
                end = start + int(features)
                out.write(",".join(texts[start:end]) + f",{int(sums[end] > sums[start])}\n")


def test(file):
    return file.removesuffix(".csv") + ".test.csv"


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def start(folder, command):
    out = f"{folder}/out"
    shutil.rmtree(out, ignore_errors=True)
    log = open(f"{folder}/log", "w")
    return out, subprocess.Popen(command + ["--out", out], stdout=log, stderr=log)


def fail(folder, message):
    sys.stderr.write(open(f"{folder}/log").read()[-3000:])
    sys.exit(message)


def train(folder, *command):
    """Reads the history while it grows, to know the processor time at each line."""
    out, process = start(folder, list(command))
    epochs = []
    read = 0
    while process.poll() is None:
        # The file may be a new one each time.
        for line in lines(f"{out}/history.jsonl")[read:]:
            read += 1
            epoch = json.loads(line)
            if "trainSeconds" in epoch:
                epochs.append((epoch["samples"], epoch["trainSeconds"], processor_seconds(process.pid)))
        time.sleep(0.01)
    if process.returncode != 0 or len(epochs) < 4:
        fail(folder, f"exit code {process.returncode}, {len(epochs)} epochs")
    half = len(epochs) // 2
    later = epochs[half:]
    samples = sum(epoch[0] for epoch in later)
    seconds = sum(epoch[1] for epoch in later)
    processor = later[-1][2] - epochs[half - 1][2]
    print(f"{samples / seconds:.0f} {1e6 * processor / samples:.2f}")


def once(folder, file, *command):
    """Compares a run on a table with a run on five times its rows, so that start and end of a run do not count."""
    longer = file.removesuffix(".csv") + ".5.csv"
    if not os.path.exists(longer):
        with open(longer + ".part", "wb") as out:
            for _ in range(5):
                with open(file, "rb") as rows:
                    shutil.copyfileobj(rows, out)
        shutil.copy(test(file), test(longer))
        os.rename(longer + ".part", longer)
    runs = []
    for table in file, longer:
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        out, process = start(folder, [*command, "--data", table])
        if process.wait() != 0:
            fail(folder, f"exit code {process.returncode}")
        seconds = time.monotonic() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        samples = sum(json.loads(line).get("samples", 0) for line in lines(f"{out}/history.jsonl"))
        runs.append((samples, seconds, processor))
    samples, seconds, processor = (longer - shorter for shorter, longer in zip(*runs))
    print(f"{samples / seconds:.0f} {1e6 * processor / samples:.2f}")


def lines(file):
    try:
        with open(file) as text:
            return text.read().split("\n")[:-1]
    except FileNotFoundError:
        return []


def ages(folder, feed, *command):
    """Reads the metrics once a second until the feed ends."""
    port = "29309"
    out, process = start(folder, list(command) + ["--metrics-port", port])
    last = None
    while os.path.exists(f"/proc/{feed}") and not is_zombie(feed):
        if process.poll() is not None:
            fail(folder, "training has ended before the feed")
        time.sleep(1)
        try:
            text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
        except OSError:
            continue
        found = [
            [float(it) for it in re.findall(rf"braid_record_age_{name}_seconds{{.*}} (\S+)", text)]
            for name in ("median", "p99")
        ]
        if all(found) and not any(value != value for values in found for value in values):
            last = found
    process.send_signal(signal.SIGINT)
    process.wait()
    if last is None:
        fail(folder, "no ages")
    print(" ".join(f"{1000 * max(values):.0f}" for values in last))


def is_zombie(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] == "Z"


def figures(file):
    found = defaultdict(list)
    for line in lines(file):
        model, workers, source, _, rate, processor = line.split()
        found[model, workers, source].append((float(rate), float(processor)))
    return {
        key: tuple(statistics.median(column) for column in zip(*values)) for key, values in found.items()
    }


def half(file, model, workers):
    print(round(figures(file)[model, workers, "avro"][0] / 2))


def summary(file):
    found = figures(file)
    print("| model, workers | source | samples/s | of the file's | processor µs a sample | the file's, of them |")
    print("|---|---|---|---|---|---|")
    for (model, workers, source), (rate, processor) in found.items():
        file_rate, file_processor = found[model, workers, "file"]
        print(
            f"| `{model}`, {workers} | {source} | {rate:,.0f} | {rate / file_rate:.2f} "
            f"| {processor:.2f} | {file_processor / processor:.2f} |"
        )


if __name__ == "__main__":
    actions = {"table": table, "train": train, "once": once, "ages": ages, "half": half, "summary": summary}
    actions[sys.argv[1]](*sys.argv[2:])
