#!/usr/bin/env python3
"""Makes a table of dense features: FOLDER/table.csv, FOLDER/table.test.csv, and both as an npz.

A second argument is the number of rows to train with. A row's class is the largest of ten random directions, with noise.
"""

import os
import sys

import numpy

TEST, FEATURES, CLASSES = 2_000, 1_000, 10


def main():
    folder = sys.argv[1]
    train = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    os.makedirs(folder, exist_ok=True)
    random = numpy.random.default_rng(1)
    # As many digits as the file has, so that both systems train on the same numbers.
    features = random.standard_normal((train + TEST, FEATURES)).round(3).astype(numpy.float32)
    directions = random.standard_normal((FEATURES, CLASSES))
    scores = features @ directions + 5 * random.standard_normal((train + TEST, CLASSES))
    labels = scores.argmax(1)
    for name, part in (("table.csv", slice(train)), ("table.test.csv", slice(train, None))):
        with open(os.path.join(folder, name), "w") as file:
            for row, label in zip(features[part], labels[part]):
                file.write(",".join(f"{value:.3f}" for value in row) + f",{label}\n")
    numpy.savez(os.path.join(folder, "table.npz"), features=features, labels=labels, train=train)


if __name__ == "__main__":
    main()
