package dev.braid.exchange.participation;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who takes part in the rounds from one on, until the next view. Views are made by one arbiter and
 * numbered in their order; an update's id is its view and its round.
 *
 * @param number from 0, the view in which a run begins, with all ranks
 * @param members ascending; at least one
 * @param round how many rounds are complete where it begins: its first round
 * @param current the members that have the model after so many rounds, ascending; at least one. The
 *     others get a copy from one of them before they take part
 */
public record View(long number, List<Integer> members, long round, List<Integer> current)
    implements Serializable {

  public View {
    members = List.copyOf(members);
    current = List.copyOf(current);
    if (current.isEmpty() || !members.containsAll(current)) {
      throw new IllegalArgumentException(
          "view %d of ranks %s, of which %s have the model: at least one must"
              .formatted(number, members, current));
    }
  }

  /** The view in which all ranks begin. */
  public static View all(int ranks, long round) {
    List<Integer> all = IntStream.range(0, ranks).boxed().toList();
    return new View(0, all, round, all);
  }

  public boolean contains(int rank) {
    return position(rank) >= 0;
  }

  /** How many members it has. */
  public int size() {
    return members.size();
  }

  /** A member's place among the members, from 0; negative for others. */
  public int position(int rank) {
    return Math.max(-1, Collections.binarySearch(members, rank));
  }

  /** The member at this place. */
  public int rank(int position) {
    return members.get(position);
  }

  /**
   * The member that a rank gets its copy of the model from: a neighbour, if one has it. Others are
   * spread over those that have it.
   */
  public int source(int rank, int[] neighbours) {
    for (int neighbour : neighbours) {
      if (current.contains(neighbour)) {
        return neighbour;
      }
    }
    return current.get(rank % current.size());
  }
}
