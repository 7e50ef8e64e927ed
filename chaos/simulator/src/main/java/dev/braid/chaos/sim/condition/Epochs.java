package dev.braid.chaos.sim.condition;

/**
 * Epochs of a run, at whose ends ranks evaluate the model and may stop. With epochs, each rank ends
 * independently, as in a Flink job.
 *
 * @param rounds number of rounds in an epoch, at least 1; 0 for a run without epochs, whose ranks
 *     report that they are done only when nothing is in flight
 * @param first the first epoch, from 0
 * @param stopsAfter the first epoch, from 0, whose accuracy reaches the target, after which all
 *     ranks stop; negative if there is no target
 * @param evaluation time of evaluations, by rank and epoch
 */
public record Epochs(int rounds, int first, int stopsAfter, ComputeTime evaluation) {

  /** A run without epochs. */
  public static final Epochs NONE = new Epochs(0, -1, ComputeTime.constant(0));

  /** Creates the epochs of a run from the beginning. */
  public Epochs(int rounds, int stopsAfter, ComputeTime evaluation) {
    this(rounds, 0, stopsAfter, evaluation);
  }

  public Epochs {
    if (rounds < 0) {
      throw new IllegalArgumentException(
          "%d rounds per epoch: must be 0 or more".formatted(rounds));
    }
  }

  /** Returns whether the run has epochs. */
  public boolean areThere() {
    return rounds > 0;
  }

  /** Returns the epoch of a round; 0 in a run without epochs. */
  public int of(long round) {
    return areThere() ? first + (int) (round / rounds) : 0;
  }

  /** Returns whether a round is the last one of an epoch. */
  public boolean endWith(long round) {
    return areThere() && (round + 1) % rounds == 0;
  }

  /** Returns the number of rounds up to the end of an epoch. */
  public long roundsUntilEndOf(int epoch) {
    return (epoch + 1L - first) * rounds;
  }

  /** Returns whether a run may end before its last epoch. */
  public boolean mayStop() {
    return areThere() && stopsAfter >= 0;
  }
}
