package dev.braid.learner;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The samples that one gradient is computed from.
 *
 * @param epoch the pass over the data that the samples belong to, from 0
 * @param ids the samples' ids; empty where this rank has no data left in a round that other ranks
 *     still need
 * @param features the samples' features
 * @param targets the class or the values that a model should predict for each sample
 * @param lastOfEpoch whether this is the rank's last batch of the epoch
 * @param combination if several ranks compute the same samples of a round, the linear combination
 *     that this rank contributes; empty if each sample belongs to one rank only
 * @param origin the position of the samples in a stream; empty for a finite data set
 */
public record Batch(
    int epoch,
    int[] ids,
    Features features,
    Targets targets,
    boolean lastOfEpoch,
    Optional<Combination> combination,
    Optional<Origin> origin) {

  public Batch {
    if (targets.size() != ids.length) {
      throw new IllegalArgumentException(
          targets.size() + " targets for " + ids.length + " samples");
    }
    if (combination.isPresent() && combination.get().coefficients().length != ids.length) {
      throw new IllegalArgumentException(
          combination.get().coefficients().length + " coefficients for " + ids.length + " samples");
    }
  }

  /** Creates a batch of samples that no other rank computes. */
  public Batch(int epoch, int[] ids, Features features, Targets targets, boolean lastOfEpoch) {
    this(epoch, ids, features, targets, lastOfEpoch, Optional.empty(), Optional.empty());
  }

  /** Creates a batch of samples that have classes and that no other rank computes. */
  public Batch(int epoch, int[] ids, Features features, int[] labels, boolean lastOfEpoch) {
    this(epoch, ids, features, new Targets.Classes(labels), lastOfEpoch);
  }

  /**
   * Returns a batch of these samples for a round in which other ranks compute some of them, too.
   */
  public Batch combined(Combination ofRound) {
    return new Batch(epoch, ids, features, targets, lastOfEpoch, Optional.of(ofRound), origin);
  }

  /** Returns a batch of these samples with their position in a stream. */
  public Batch from(Origin itsOrigin) {
    return new Batch(
        epoch, ids, features, targets, lastOfEpoch, combination, Optional.of(itsOrigin));
  }

  /**
   * Returns the held-out samples, which are scored but not trained on, as a separate batch; empty
   * for a finite data set or if no samples are held out.
   */
  public Optional<Batch> heldOut() {
    return origin
        .filter(it -> it.heldTargets().size() > 0)
        .map(
            it ->
                new Batch(
                    epoch,
                    new int[it.heldTargets().size()],
                    it.heldFeatures(),
                    it.heldTargets(),
                    false));
  }

  /**
   * Returns a batch of {@code howMany} consecutive samples from index {@code first} on, with copies
   * of their ids, features and targets, for the same round.
   */
  public Batch part(int first, int howMany) {
    int[] places = IntStream.range(first, first + howMany).toArray();
    return new Batch(
        epoch,
        Arrays.copyOfRange(ids, first, first + howMany),
        features.part(first, howMany),
        targets.at(places),
        lastOfEpoch,
        combination.map(it -> it.part(first, howMany)),
        Optional.empty());
  }

  /** Returns the number of samples. */
  public int size() {
    return ids.length;
  }

  /**
   * Returns the ids of the round's samples that this rank accounts for. Exactly one rank accounts
   * for each sample of a round, however many ranks compute it.
   */
  public int[] usedIds() {
    return combination.map(Combination::share).orElse(ids);
  }

  /** Returns the number of samples in the sum to which this batch's gradient contributes. */
  public int summedSamples() {
    return combination.map(Combination::roundSamples).orElse(ids.length);
  }

  /** Returns whether the gradient is the plain sum over the samples, each with coefficient 1. */
  public boolean isPlainSum() {
    return combination.map(Combination::isPlain).orElse(true);
  }

  /**
   * Returns the sum of the samples' coefficients, or the number of samples if each coefficient is
   * 1.
   */
  public double weight() {
    return isPlainSum() ? ids.length : combination.orElseThrow().weight();
  }

  /**
   * Returns the samples' classes.
   *
   * @throws IllegalStateException if the samples have values instead of classes
   */
  public int[] labels() {
    if (targets instanceof Targets.Classes classes) {
      return classes.labels();
    }
    throw new IllegalStateException("samples with values have no classes");
  }
}
