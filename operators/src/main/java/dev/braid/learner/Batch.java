package dev.braid.learner;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The samples of one gradient.
 *
 * @param epoch the pass over the data that the samples belong to, from 0
 * @param ids the samples' ids; none where this rank has no data left in a round that others need
 * @param features the samples' features
 * @param targets what a model is to say of them
 * @param lastOfEpoch whether this is the rank's last batch of the epoch
 * @param combination where several ranks compute the same samples of a round, what this one makes
 *     of them; empty where a sample is one rank's alone
 * @param origin where the samples are in a stream; empty where they are of a finite data set
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

  /** Of samples that no other rank computes. */
  public Batch(int epoch, int[] ids, Features features, Targets targets, boolean lastOfEpoch) {
    this(epoch, ids, features, targets, lastOfEpoch, Optional.empty(), Optional.empty());
  }

  /** Of samples that have classes. */
  public Batch(int epoch, int[] ids, Features features, int[] labels, boolean lastOfEpoch) {
    this(epoch, ids, features, new Targets.Classes(labels), lastOfEpoch);
  }

  /** The same samples, of a round in which other ranks compute some of them, too. */
  public Batch combined(Combination ofRound) {
    return new Batch(epoch, ids, features, targets, lastOfEpoch, Optional.of(ofRound), origin);
  }

  /** Returns the same samples, of a stream. */
  public Batch from(Origin itsOrigin) {
    return new Batch(
        epoch, ids, features, targets, lastOfEpoch, combination, Optional.of(itsOrigin));
  }

  /** Returns the samples that are only scored, as a batch of their own; none of a finite set. */
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

  /** Some of the samples that follow each other, with their values; of the same round. */
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

  /** How many samples there are. */
  public int size() {
    return ids.length;
  }

  /**
   * The samples that the round uses by this rank's account: each sample of a round is in the
   * account of one rank, however many compute it.
   */
  public int[] usedIds() {
    return combination.map(Combination::share).orElse(ids);
  }

  /** How many samples a sum is over that has this batch's gradient as it is contributed. */
  public int summedSamples() {
    return combination.map(Combination::roundSamples).orElse(ids.length);
  }

  /** Whether the gradient is the samples' sum, each of them times 1. */
  public boolean isPlainSum() {
    return combination.map(Combination::isPlain).orElse(true);
  }

  /** What the coefficients of the samples add up to; how many there are, if each has 1. */
  public double weight() {
    return isPlainSum() ? ids.length : combination.orElseThrow().weight();
  }

  /**
   * The samples' classes.
   *
   * @throws IllegalStateException if they have values
   */
  public int[] labels() {
    if (targets instanceof Targets.Classes classes) {
      return classes.labels();
    }
    throw new IllegalStateException("samples with values have no classes");
  }
}
