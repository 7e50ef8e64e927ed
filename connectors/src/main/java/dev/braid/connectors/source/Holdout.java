package dev.braid.connectors.source;

import dev.braid.connectors.random.Permutation;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Training samples that no gradient uses, so that epochs are compared by them and not by the test
 * set. The seed determines the held-out samples, independent of the number of workers.
 *
 * @param samples number of samples of the training set, including those that are held out
 * @param held number of samples that are held out; 0 for none
 * @param seed seed of the run
 */
public record Holdout(int samples, int held, long seed) implements Serializable {

  /** Number of an epoch that no training has, for an order of its own. */
  private static final int BEFORE_EPOCHS = -1;

  public Holdout {
    if (held < 0 || held >= Math.max(1, samples)) {
      throw new IllegalArgumentException(held + " of " + samples + " samples held out");
    }
  }

  /** Returns the holdout of a run that trains with all {@code samples} samples. */
  public static Holdout none(int samples) {
    return new Holdout(samples, 0, 0);
  }

  /** Returns the number of samples that remain for training. */
  public int training() {
    return samples - held;
  }

  /** Returns the training samples in their order, with ids from 0. */
  public Samples trainingOf(Samples all) {
    return held == 0 ? all : new Part(all, sorted(held, samples));
  }

  /** Returns the samples that are held out in their order, with ids from 0. */
  public Samples heldOf(Samples all) {
    return new Part(all, sorted(0, held));
  }

  private int[] sorted(int from, int to) {
    int[] ids = Arrays.copyOfRange(Permutation.of(samples, seed, BEFORE_EPOCHS), from, to);
    Arrays.sort(ids);
    return ids;
  }

  /** A subset of the samples. */
  private record Part(Samples all, int[] ids) implements Samples {

    @Override
    public int size() {
      return ids.length;
    }

    @Override
    public Shape shape() {
      return all.shape();
    }

    @Override
    public void copyFeatures(int id, float[] into, int offset) {
      all.copyFeatures(ids[id], into, offset);
    }

    @Override
    public int copyNonZero(int id, int[] columns, float[] values, int offset) {
      return all.copyNonZero(ids[id], columns, values, offset);
    }

    @Override
    public int label(int id) {
      return all.label(ids[id]);
    }

    @Override
    public Targets targets(int[] some) {
      return all.targets(inAll(some));
    }

    @Override
    public Batch batch(int epoch, int[] some, boolean lastOfEpoch) {
      return numbered(all.batch(epoch, inAll(some), lastOfEpoch), some);
    }

    @Override
    public Batch deferredBatch(int epoch, int[] some, boolean lastOfEpoch) {
      return numbered(all.deferredBatch(epoch, inAll(some), lastOfEpoch), some);
    }

    private int[] inAll(int[] some) {
      return Arrays.stream(some).map(id -> ids[id]).toArray();
    }

    private static Batch numbered(Batch batch, int[] some) {
      return new Batch(batch.epoch(), some, batch.features(), batch.targets(), batch.lastOfEpoch());
    }
  }
}
