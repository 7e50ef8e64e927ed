#!/usr/bin/env python3
"""Prints how far the losses of both systems are from each other, of lines as summary.py takes.

With a second argument, the most that a test loss may differ by, in parts of itself, it prints a line
only for a model that differs by more, and the exit code is 1 then. Losses of training are no measure
of that where some are very large: Braid bounds them, as Deeplearning4j does.
"""

import sys


def main():
    losses = {}
    for line in open(sys.argv[1]):
        model, workers, system, turn, epoch, _, _, train, test = line.split()
        epochs = losses.setdefault((model, workers), {})
        epochs.setdefault(int(epoch), {}).setdefault(int(turn), {})[system] = float(train), float(test)
    most = float(sys.argv[2]) if len(sys.argv) > 2 else -1
    differs = False
    for (model, workers), epochs in losses.items():
        apart = {epoch: (difference(turns, 0), difference(turns, 1)) for epoch, turns in epochs.items()}
        if max(test for _, test in apart.values()) <= most:
            continue
        differs = True
        texts = [f"{turns[1]['braid'][0]:.4f} {turns[1]['braid'][1]:.4f}"
                 f" ({apart[epoch][0]:.0e} {apart[epoch][1]:.0e})"
                 for epoch, turns in sorted(epochs.items())]
        print(f"{model:8} {workers:>7}  {', '.join(texts)}")
    sys.exit(1 if differs and most >= 0 else 0)


def difference(turns, which):
    """The largest of all turns, of one of the two losses."""
    return max(abs(turn["braid"][which] / turn["pytorch"][which] - 1) for turn in turns.values())


if __name__ == "__main__":
    main()
