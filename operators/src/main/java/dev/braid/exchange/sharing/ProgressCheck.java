package dev.braid.exchange.sharing;

import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.Progress;
import dev.braid.exchange.message.Sharing.SideHas;

/**
 * Refuses what no neighbour says of how far it is. A number that is too large would have this rank
 * send less than is lacked, or forget what somebody lacks: an update would be lost.
 *
 * @param towards by origin: the neighbour from which its updates come; −1 for none
 * @param partsApart by how many parts of an origin two ranks may be apart that have gone on from
 *     one view to the next: an origin goes on computing only as long as few of its updates are not
 *     with all
 */
record ProgressCheck(int rank, UpdateLog log, int[] towards, long partsApart) {

  /**
   * A neighbour says what it has, as a link opens.
   *
   * @throws IllegalArgumentException if it cannot be
   */
  void check(int from, Has has) {
    long here = here(from, has);
    if (has.origin() == rank && has.parts() > here) {
      throw refused(from, has, "so many were not computed");
    }
    if (Math.abs(has.parts() - here) > partsApart) {
      throw refused(from, has, "no two ranks are more than " + partsApart + " parts apart");
    }
  }

  /** The same of all on its side of the link. */
  void check(int from, SideHas side) {
    long here = here(from, side);
    if (towards[side.origin()] == from) {
      throw refused(from, side, "it is itself on the way to rank " + side.origin());
    }
    if (side.origin() == rank && side.parts() > here) {
      throw refused(from, side, "so many were not computed");
    }
    if (side.parts() - here > partsApart) {
      throw refused(from, side, "no two ranks are more than " + partsApart + " parts apart");
    }
  }

  /** The same of all. */
  void check(int from, AllHave all) {
    if (all.parts() > here(from, all)) {
      throw refused(from, all, "this rank is one of all");
    }
    if (towards[all.origin()] != from) {
      throw refused(from, all, "it is not on the way to rank " + all.origin());
    }
  }

  private long here(int from, Progress progress) {
    if (progress.origin() >= towards.length) {
      throw new IllegalArgumentException(
          "%s from rank %d: there are %d ranks".formatted(progress, from, towards.length));
    }
    return log.has(progress.origin());
  }

  private IllegalArgumentException refused(int from, Progress progress, String why) {
    return new IllegalArgumentException(
        "%s from rank %d: %s; rank %d has %d parts"
            .formatted(progress, from, why, rank, log.has(progress.origin())));
  }
}
