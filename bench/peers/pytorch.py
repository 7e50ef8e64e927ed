#!/usr/bin/env python3
"""Trains one of Braid's models in PyTorch: DistributedDataParallel over Gloo, a thread a process.

Prints a line an epoch: its number, samples/s without the evaluation, test accuracy.
"""

import argparse
import gzip
import os
import socket
import time

import numpy
import torch
import torch.distributed
import torch.multiprocessing
from torch import nn


def read_idx(folder, name):
    path = os.path.join(folder, name)
    with gzip.open(path + ".gz") if os.path.exists(path + ".gz") else open(path, "rb") as file:
        content = file.read()
    dimensions = content[3]
    shape = numpy.frombuffer(content, ">i4", dimensions, 4)
    return numpy.frombuffer(content, numpy.uint8, -1, 4 + 4 * dimensions).reshape(shape)


def samples(folder, part):
    images = read_idx(folder, part + "-images-idx3-ubyte").astype(numpy.float32) / 255
    labels = read_idx(folder, part + "-labels-idx1-ubyte").astype(numpy.int64)
    return torch.from_numpy(images).unsqueeze(1), torch.from_numpy(labels)


def model(name):
    if name == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))
    if name == "large":
        return nn.Sequential(
            nn.Flatten(), nn.Linear(784, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(),
            nn.Linear(4096, 1024), nn.ReLU(), nn.Linear(1024, 10))
    layers = []
    channels = 1
    for kernels in (10, 20, 100):
        layers += [nn.Conv2d(channels, kernels, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)]
        channels = kernels
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Linear(900, 200), nn.ReLU(), nn.Linear(200, 10))


def work(rank, options, port):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    workers = options.workers
    network = model(options.model)
    if workers > 1:
        torch.distributed.init_process_group(
            "gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=workers)
        network = nn.parallel.DistributedDataParallel(network)
    images, labels = samples(options.data, "train")
    test_images, test_labels = samples(options.data, "t10k")
    optimiser = torch.optim.SGD(network.parameters(), lr=options.learning_rate)
    criterion = nn.CrossEntropyLoss()
    batches = len(labels) // (options.batch * workers)
    for epoch in range(1, options.epochs + 1):
        order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(epoch))
        begin = time.perf_counter()
        for b in range(batches):
            first = (b * workers + rank) * options.batch
            chosen = order[first:first + options.batch]
            optimiser.zero_grad()
            criterion(network(images[chosen]), labels[chosen]).backward()
            optimiser.step()
        if workers > 1:
            torch.distributed.barrier()
        seconds = time.perf_counter() - begin
        if rank == 0:
            report(epoch, batches * options.batch * workers / seconds, network, test_images, test_labels)
        if workers > 1:
            torch.distributed.barrier()


def report(epoch, rate, network, images, labels):
    with torch.no_grad():
        correct = sum(
            (network(images[i:i + 500]).argmax(1) == labels[i:i + 500]).sum().item()
            for i in range(0, len(labels), 500))
    print(f"{epoch} {rate:.0f} {correct / len(labels):.4f}", flush=True)


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=("mlp", "cnn", "large"), default="mlp")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--data", required=True, help="a folder with MNIST's IDX files")
    options = parser.parse_args()
    if options.workers == 1:
        work(0, options, 0)
    else:
        torch.multiprocessing.spawn(work, (options, free_port()), options.workers)


if __name__ == "__main__":
    main()
