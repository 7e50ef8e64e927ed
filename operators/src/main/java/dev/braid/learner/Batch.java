package dev.braid.learner;

/**
 * The samples of one gradient.
 *
 * @param epoch the pass over the data that the samples belong to, from 0
 * @param ids the samples' ids; none where this rank has no data left in a round that others need
 * @param features the samples' features
 * @param labels the samples' classes
 * @param lastOfEpoch whether this is the rank's last batch of the epoch
 */
public record Batch(int epoch, int[] ids, Features features, int[] labels, boolean lastOfEpoch) {

  public Batch {
    if (labels.length != ids.length) {
      throw new IllegalArgumentException(labels.length + " labels for " + ids.length + " samples");
    }
  }

  /** How many samples there are. */
  public int size() {
    return ids.length;
  }
}
