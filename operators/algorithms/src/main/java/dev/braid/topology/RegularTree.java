package dev.braid.topology;

import java.util.stream.IntStream;

/**
 * The tree of CodedReduce (Reisizadeh et al. 2021, §III-A): a master, and below it workers in
 * layers, filled layer by layer, with n children of each parent. With n + … + n^L workers it is the
 * paper's (n, L)-regular tree. With other numbers the last layer has gaps: its workers are dealt to
 * the parents above in turns, so that the numbers of children differ by at most one.
 *
 * <p>Workers are numbered from 0, layer by layer. The master is not one of them ({@link #MASTER});
 * an exchange decides at which rank it runs.
 *
 * @param workers number of workers, at least 1
 * @param children n, number of children of a parent, at least 1; at least 2 for several workers
 */
public record RegularTree(int workers, int children) {

  /** Number of the master, which is the parent of the first layer. */
  public static final int MASTER = -1;

  public RegularTree {
    if (workers < 1 || children < 1) {
      throw new IllegalArgumentException(
          "a tree of %d workers, %d below each parent: must be at least 1 of each"
              .formatted(workers, children));
    }
    if (children == 1 && workers > 1) {
      throw new IllegalArgumentException(
          "a tree of %d workers with 1 child per parent: must be at least 2".formatted(workers));
    }
  }

  /** Returns the (n, L)-regular tree. */
  public static RegularTree ofLayers(int children, int layers) {
    int workers = 0;
    int layer = 1;
    for (int i = 0; i < layers; i++) {
      layer = Math.multiplyExact(layer, children);
      workers = Math.addExact(workers, layer);
    }
    return new RegularTree(workers, children);
  }

  /** Returns L, the number of layers of workers. */
  public int layers() {
    return layerOf(workers - 1);
  }

  /** Returns whether the last layer is full. */
  public boolean isRegular() {
    return firstOf(layers() + 1) == workers;
  }

  /** Returns the layer of a worker, from 1. */
  public int layerOf(int worker) {
    int layer = 1;
    while (firstOf(layer + 1) <= worker) {
      layer++;
    }
    return layer;
  }

  /** Returns the number of the first worker of a layer, even if there is no such worker. */
  private long firstOf(int layer) {
    long first = 0;
    long width = 1;
    for (int i = 1; i < layer; i++) {
      width *= children;
      first += width;
    }
    return first;
  }

  /** Returns the parent of a worker, or {@link #MASTER}. */
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

  /** Returns the children of a worker or of the {@link #MASTER}, ascending. */
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
