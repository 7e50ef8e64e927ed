package dev.braid.exchange.sharing;

import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.Progress;
import dev.braid.exchange.message.Sharing.SideHas;

/**
 * Validates the progress that neighbours report. With a number that is too large, this rank would
 * send fewer parts than a neighbour lacks, or forget parts that a rank lacks: an update would be
 * lost.
 *
 * @param towards by origin: the neighbour from which the origin's updates come; −1 for none
 * @param partsApart maximum difference, in parts of an origin, between two ranks that have
 *     continued from one view to the next. It is bounded because an origin computes only as long as
 *     few of its updates are missing anywhere
 */
record ProgressCheck(int rank, UpdateLog log, int[] towards, long partsApart) {

  /**
   * Checks the number of parts that a neighbour has when a link opens.
   *
   * @throws IllegalArgumentException if the number is impossible
   */
  void check(int from, Has has) {
    long here = here(from, has);
    if (has.origin() == rank && has.parts() > here) {
      throw refused(from, has, "must be at most the number of computed parts");
    }
    if (Math.abs(has.parts() - here) > partsApart) {
      throw refused(from, has, "ranks must be at most " + partsApart + " parts apart");
    }
  }

  /**
   * Checks the number of parts that all ranks on a neighbour's side of the link have.
   *
   * @throws IllegalArgumentException if the number is impossible, or the origin is on that side
   */
  void check(int from, SideHas side) {
    long here = here(from, side);
    if (towards[side.origin()] == from) {
      throw refused(from, side, "the route to rank " + side.origin() + " leads through it");
    }
    if (side.origin() == rank && side.parts() > here) {
      throw refused(from, side, "must be at most the number of computed parts");
    }
    if (side.parts() - here > partsApart) {
      throw refused(from, side, "ranks must be at most " + partsApart + " parts apart");
    }
  }

  /**
   * Checks the number of parts that all ranks have.
   *
   * @throws IllegalArgumentException if the number is impossible, or the origin is not on the
   *     neighbour's side
   */
  void check(int from, AllHave all) {
    if (all.parts() > here(from, all)) {
      throw refused(from, all, "must be at most the number of this rank's parts");
    }
    if (towards[all.origin()] != from) {
      throw refused(from, all, "the route to rank " + all.origin() + " does not lead through it");
    }
  }

  private long here(int from, Progress progress) {
    if (progress.origin() >= towards.length) {
      throw new IllegalArgumentException(
          "%s from rank %d: the origin must be less than %d"
              .formatted(progress, from, towards.length));
    }
    return log.has(progress.origin());
  }

  private IllegalArgumentException refused(int from, Progress progress, String why) {
    return new IllegalArgumentException(
        "%s from rank %d: %s; rank %d has %d parts"
            .formatted(progress, from, why, rank, log.has(progress.origin())));
  }
}
