package dev.braid.chaos.event;

/** One direction of a link between two ranks. */
public record Link(int from, int to) {

  public Link {
    if (from < 0 || to < 0 || from == to) {
      throw new IllegalArgumentException(
          "link " + from + " → " + to + ": must be two different ranks, 0 or more");
    }
  }

  /** Returns the other direction. */
  public Link back() {
    return new Link(to, from);
  }
}
