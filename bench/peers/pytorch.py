#!/usr/bin/env python3
"""Trains one of Braid's models in PyTorch: DistributedDataParallel over Gloo, a thread a process.

With --interval, processes train independently for so many batches, and then take a common outer step
with Nesterov's momentum (DiLoCo, arXiv 2311.08105, Algorithm 1).

It begins with the weights of a file that Braid has written, and takes the samples in Braid's order.

Prints a line an epoch: its number, samples/s without the evaluation, test accuracy, and the mean
losses of training and test. With --probe: how many GFLOP/s its matrix products do, whether they are
right, and whose kernels they are.
"""

import argparse
import ctypes
import gzip
import math
import os
import socket
import time
import zipfile

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
    if folder.endswith(".npz"):
        table = numpy.load(folder)
        rows = slice(int(table["train"])) if part == "train" else slice(int(table["train"]), None)
        return torch.from_numpy(table["features"][rows]), torch.from_numpy(table["labels"][rows])
    images = read_idx(folder, part + "-images-idx3-ubyte").astype(numpy.float32) / 255
    labels = read_idx(folder, part + "-labels-idx1-ubyte").astype(numpy.int64)
    return torch.from_numpy(images).unsqueeze(1), torch.from_numpy(labels)


def model(name):
    if name == "table":
        return nn.Sequential(nn.Linear(1000, 512), nn.ReLU(), nn.Linear(512, 10))
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


def take_weights(network, file):
    """Of a model that Deeplearning4j or Braid has saved: layer after layer, as floats at the end.

    Weights lie output by output, as PyTorch has them; a convolution's biases come before them.
    """
    with zipfile.ZipFile(file) as saved:
        content = saved.read("coefficients.bin")
    layers = [layer for layer in network if isinstance(layer, (nn.Linear, nn.Conv2d))]
    count = sum(part.numel() for part in network.parameters())
    values = torch.from_numpy(
        numpy.frombuffer(content, ">f4", offset=len(content) - 4 * count).astype(numpy.float32))
    with torch.no_grad():
        for layer in layers:
            parts = (layer.weight, layer.bias)
            for part in parts if isinstance(layer, nn.Linear) else reversed(parts):
                part.copy_(values[:part.numel()].view_as(part))
                values = values[part.numel():]


def nudge(network, seed):
    """Changes the weights by no more than rounding does; not at all with seed 0."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for part in network.parameters() if seed else ():
            part.mul_(1 + (torch.rand(part.shape, generator=generator) - 0.5) * 4e-7)


def order_of_samples(samples, seed, epoch):
    """Braid's (dev.braid.connectors.random.Permutation): a shuffle with SplitMix64's numbers."""
    gamma, low = 0x9e3779b97f4a7c15, (1 << 64) - 1

    def mix(value):
        value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9 & low
        value = (value ^ (value >> 27)) * 0x94d049bb133111eb & low
        return value ^ (value >> 31)

    state = mix(mix(seed + gamma & low) + epoch * gamma & low)
    order = list(range(samples))
    for i in range(samples - 1, 0, -1):
        state = state + gamma & low
        j = (mix(state) >> 32) * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
    return torch.tensor(order)


class OuterStep:
    """The outer optimiser of DiLoCo, with the paper's rate and momentum."""

    RATE, MOMENTUM = 0.7, 0.9

    def __init__(self, network, workers):
        self.parameters = list(network.parameters())
        self.workers = workers
        self.base = [part.detach().clone() for part in self.parameters]
        self.velocity = [torch.zeros_like(part) for part in self.base]

    def step(self):
        with torch.no_grad():
            for part, base, velocity in zip(self.parameters, self.base, self.velocity):
                move = part - base
                torch.distributed.all_reduce(move)
                move /= self.workers
                velocity.mul_(self.MOMENTUM).add_(move)
                base.add_(move + self.MOMENTUM * velocity, alpha=self.RATE)
                part.copy_(base)


def work(rank, options, port):
    torch.set_num_threads(1)
    workers = options.workers
    network = model(options.model)
    take_weights(network, options.weights)
    nudge(network, options.nudge)
    if workers > 1:
        torch.distributed.init_process_group(
            "gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=workers)
        if options.interval:
            outer = OuterStep(network, workers)
        else:
            network = nn.parallel.DistributedDataParallel(network)
    images, labels = samples(options.data, "train")
    test_images, test_labels = samples(options.data, "t10k")
    optimiser = torch.optim.SGD(network.parameters(), lr=options.learning_rate)
    criterion = nn.CrossEntropyLoss()
    share = len(labels) // workers
    batches = share // options.batch
    trained = 0
    for epoch in range(1, options.epochs + 1):
        order = order_of_samples(len(labels), options.seed, epoch)[rank * share:]
        loss_sum = torch.zeros(1)
        begin = time.perf_counter()
        for b in range(batches):
            chosen = order[b * options.batch:(b + 1) * options.batch]
            optimiser.zero_grad()
            loss = criterion(network(images[chosen]), labels[chosen])
            loss.backward()
            optimiser.step()
            loss_sum += loss.detach()
            trained += 1
            is_last = trained == options.epochs * batches
            if options.interval and (trained % options.interval == 0 or is_last):
                outer.step()
        if workers > 1:
            torch.distributed.barrier()
        seconds = time.perf_counter() - begin
        if workers > 1:
            torch.distributed.all_reduce(loss_sum)
        if rank == 0:
            report(epoch, batches * options.batch * workers / seconds,
                   loss_sum.item() / (batches * workers), network, test_images, test_labels)
        if workers > 1:
            torch.distributed.barrier()


def report(epoch, rate, loss, network, images, labels):
    correct, test_loss = 0, 0
    with torch.no_grad():
        for i in range(0, len(labels), 500):
            given = network(images[i:i + 500])
            correct += (given.argmax(1) == labels[i:i + 500]).sum().item()
            # Braid takes no probability for less than 1e-10, as Deeplearning4j does.
            test_loss += nn.functional.cross_entropy(
                given, labels[i:i + 500], reduction="none").clamp(max=-math.log(1e-10)).sum().item()
    print(f"{epoch} {rate:.0f} {correct / len(labels):.4f} {loss:.9f}"
          f" {test_loss / len(labels):.9f}", flush=True)


def probe():
    """The products of a layer of `mlp` and of `large`: forward, by the weights, by the input."""
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(1)
    operations, seconds, error = 0, 0, 0
    for rows, inputs, outputs in ((100, 784, 512), (100, 4096, 1024), (77, 91, 53)):
        x, w, d = (torch.randn(shape, generator=generator)
                   for shape in ((rows, inputs), (inputs, outputs), (rows, outputs)))
        for a, b in ((x, w), (x.t(), d), (d, w.t())):
            exact = a.double() @ b.double()
            # Of what rounding may make of a sum of so many.
            scale = (a.double().abs() @ b.double().abs()).max()
            error = max(error, ((a @ b).double() - exact).abs().max().item() / scale.item())
            times = []
            for _ in range(15):
                begin = time.perf_counter()
                a @ b
                times.append(time.perf_counter() - begin)
            seconds += min(times)
            operations += 2 * rows * inputs * outputs
    print(f"{operations / seconds / 1e9:.0f} GFLOP/s, {'right' if error < 1e-5 else 'wrong'},"
          f" error {error:.1e}, {openblas_core()}")


def openblas_core():
    with open("/proc/self/maps") as maps:
        libraries = {line.split()[-1] for line in maps if "openblas" in line or "libblas" in line}
    for library in sorted(libraries):
        try:
            name = ctypes.CDLL(library).openblas_get_corename
        except (OSError, AttributeError):
            continue
        name.restype = ctypes.c_char_p
        return "OpenBLAS " + name().decode()
    return "no OpenBLAS"


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=("mlp", "cnn", "large", "table"), default="mlp")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--interval", type=int, default=0, metavar="K",
                        help="batches between two outer steps of DiLoCo, with 2 workers or more;"
                             " 0: a step of all after each batch")
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--data", help="a folder with MNIST's IDX files, or an npz of table.py")
    parser.add_argument("--weights", help="the model that Braid begins with (InitialModel)")
    parser.add_argument("--seed", type=int, default=1, help="Braid's, for the order of the samples")
    parser.add_argument("--nudge", type=int, default=0, metavar="SEED",
                        help="changes the weights in their last bits, at random; 0: leaves them")
    parser.add_argument("--probe", action="store_true", help="measures and checks products")
    options = parser.parse_args()
    if options.probe:
        probe()
        return
    if options.workers == 1:
        work(0, options, 0)
    else:
        torch.multiprocessing.spawn(work, (options, free_port()), options.workers)


if __name__ == "__main__":
    main()
