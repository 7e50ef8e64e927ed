#!/usr/bin/env python3
"""Makes MNIST's four IDX files again: in negative, or only the first samples of training."""

import argparse
import gzip
import os


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--inverted", action="store_true", help="black on white")
    parser.add_argument("--train", type=int, help="how many samples to train with; default: all")
    options = parser.parse_args()
    os.makedirs(options.target, exist_ok=True)
    for part in ("train", "t10k"):
        for kind in ("images-idx3", "labels-idx1"):
            name = f"{part}-{kind}-ubyte"
            content = read(os.path.join(options.source, name))
            begin = 4 + 4 * content[3]
            head, values = content[:begin], content[begin:]
            if part == "train" and options.train:
                size = len(values) // int.from_bytes(head[4:8], "big")
                head = head[:4] + options.train.to_bytes(4, "big") + head[8:]
                values = values[:options.train * size]
            if options.inverted and kind.startswith("images"):
                values = bytes(255 - byte for byte in values)
            with open(os.path.join(options.target, name), "wb") as file:
                file.write(head + values)


def read(path):
    with gzip.open(path + ".gz") if os.path.exists(path + ".gz") else open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    main()
