#!/usr/bin/env python3
"""Prints a line for each model, number of workers and system, of lines

model workers system turn epoch samples_per_second test_accuracy train_loss test_loss
"""

import os
import statistics
import sys


def main():
    rates, accuracies = {}, {}
    for line in open(sys.argv[1]):
        model, workers, system, _, epoch, rate, accuracy, _, _ = line.split()
        key = model, int(workers), system
        rates.setdefault(key, {}).setdefault(int(epoch), []).append(float(rate))
        accuracies.setdefault(key, {}).setdefault(int(epoch), []).append(float(accuracy))
    cores = len(os.sched_getaffinity(0))
    print("# samples/s, medians: cold is epoch 1, warm those after it; times is Braid's over PyTorch's")
    print(f"{'model':8} {'workers':>7} {'system':8} {'cold':>8} {'warm':>8} {'per core':>8}"
          f" {'cold':>6} {'warm':>6}  test accuracy, epoch by epoch")
    found = {}
    for key, epochs in rates.items():
        cold = statistics.median(epochs[1])
        later = [rate for epoch, all_rates in epochs.items() if epoch > 1 for rate in all_rates]
        found[key] = cold, statistics.median(later) if later else float("nan")
    for key, (cold, warm) in found.items():
        model, workers, system = key
        peer = found.get((model, workers, "pytorch"))
        times = [f"{a / b:5.2f}x" if system == "braid" and peer else "" for a, b in
                 zip((cold, warm), peer or (1, 1))]
        series = " ".join(f"{statistics.median(accuracies[key][epoch]):.4f}"
                          for epoch in sorted(accuracies[key]))
        print(f"{model:8} {workers:7} {system:8} {cold:8.0f} {warm:8.0f} {warm / min(workers, cores):8.0f}"
              f" {times[0]:>6} {times[1]:>6}  {series}")


if __name__ == "__main__":
    main()
