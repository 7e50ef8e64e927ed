package dev.braid.learner;

/**
 * The samples of one gradient.
 *
 * @param epoch the pass over the data that the samples belong to, from 0
 * @param ids the samples' ids; none where this rank has no data left in a round that others need
 * @param features the samples' features
 * @param targets what a model is to say of them
 * @param lastOfEpoch whether this is the rank's last batch of the epoch
 */
public record Batch(int epoch, int[] ids, Features features, Targets targets, boolean lastOfEpoch) {

  public Batch {
    if (targets.size() != ids.length) {
      throw new IllegalArgumentException(
          targets.size() + " targets for " + ids.length + " samples");
    }
  }

  /** Of samples that have classes. */
  public Batch(int epoch, int[] ids, Features features, int[] labels, boolean lastOfEpoch) {
    this(epoch, ids, features, new Targets.Classes(labels), lastOfEpoch);
  }

  /** How many samples there are. */
  public int size() {
    return ids.length;
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
