package dev.braid.chaos.event;

/** One direction of a link between two ranks. */
public record Link(int from, int to) {

  public Link {
    if (from < 0 || to < 0 || from == to) {
      throw new IllegalArgumentException(
          "link " + from + " → " + to + ": two different ranks from 0 on are needed");
    }
  }

  /** The other direction. */
  public Link back() {
    return new Link(to, from);
  }
}
