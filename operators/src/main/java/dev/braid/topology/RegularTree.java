package dev.braid.topology;

import java.util.stream.IntStream;

/**
 * The tree of CodedReduce (Reisizadeh et al. 2021, §III-A): a master, and below it workers in
 * layers, each with as many children as every other, filled layer by layer. With n + … + n^L
 * workers it is the paper's (n, L)-regular tree. With others the last layer has gaps, and the
 * parents above it get its workers in turns, so that they have equally many but for one.
 *
 * <p>Workers are counted from 0, layer by layer; the master is none of them ({@link #MASTER}), and
 * lives at whichever rank an exchange puts it.
 *
 * @param workers how many there are, at least 1
 * @param children how many a parent has, n, at least 1
 */
public record RegularTree(int workers, int children) {

  /** The parent of the first layer. */
  public static final int MASTER = -1;

  public RegularTree {
    if (workers < 1 || children < 1) {
      throw new IllegalArgumentException(
          "a tree of %d workers, %d below each parent: at least 1 of each is needed"
              .formatted(workers, children));
    }
    if (children == 1 && workers > 1) {
      throw new IllegalArgumentException(
          "a tree of %d workers with 1 child a parent: that is a chain; at least 2 are needed"
              .formatted(workers));
    }
  }

  /** The (n, L)-regular tree. */
  public static RegularTree ofLayers(int children, int layers) {
    int workers = 0;
    int layer = 1;
    for (int i = 0; i < layers; i++) {
      layer = Math.multiplyExact(layer, children);
      workers = Math.addExact(workers, layer);
    }
    return new RegularTree(workers, children);
  }

  /** How many layers of workers there are, L. */
  public int layers() {
    return layerOf(workers - 1);
  }

  /** Whether the last layer is full. */
  public boolean isRegular() {
    return firstOf(layers() + 1) == workers;
  }

  /** The layer of a worker, from 1. */
  public int layerOf(int worker) {
    int layer = 1;
    while (firstOf(layer + 1) <= worker) {
      layer++;
    }
    return layer;
  }

  /** The first worker of a layer, whether it is there or not. */
  private long firstOf(int layer) {
    long first = 0;
    long width = 1;
    for (int i = 1; i < layer; i++) {
      width *= children;
      first += width;
    }
    return first;
  }

  /** The parent of a worker, or {@link #MASTER}. */
  public int parent(int worker) {
    int layer = layerOf(worker);
    if (layer == 1) {
      return MASTER;
    }
    int above = (int) firstOf(layer - 1);
    int widthAbove = (int) firstOf(layer) - above;
    int index = worker - (int) firstOf(layer);
    return above + (isFull(layer) ? index / children : index % widthAbove);
  }

  private boolean isFull(int layer) {
    return layer < layers() || isRegular();
  }

  /** The children of a worker or of the {@link #MASTER}, in the order of their numbers. */
  public int[] childrenOf(int parent) {
    if (parent == MASTER) {
      return IntStream.range(0, Math.min(children, workers)).toArray();
    }
    int layer = layerOf(parent);
    if (layer == layers()) {
      return new int[0];
    }
    int index = parent - (int) firstOf(layer);
    int first = (int) firstOf(layer + 1);
    if (isFull(layer + 1)) {
      return IntStream.range(first + index * children, first + (index + 1) * children).toArray();
    }
    int width = first - (int) firstOf(layer);
    return IntStream.iterate(first + index, worker -> worker < workers, worker -> worker + width)
        .toArray();
  }
}
