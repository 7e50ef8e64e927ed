package dev.braid.exchange.participation;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The set of ranks that take part in rounds, from one round until the next view. One arbiter makes
 * the views and numbers them in order. An update is identified by its view and its round.
 *
 * @param number number of the view; 0 is the view in which a run begins, with all ranks
 * @param members ranks that take part, ascending; at least one
 * @param round number of complete rounds at the beginning of the view, which is the index of its
 *     first round
 * @param current members that have the model after that many rounds, ascending; at least one. Other
 *     members get a copy from one of them before they take part
 */
public record View(long number, List<Integer> members, long round, List<Integer> current)
    implements Serializable {

  public View {
    members = List.copyOf(members);
    current = List.copyOf(current);
    if (current.isEmpty() || !members.containsAll(current)) {
      throw new IllegalArgumentException(
          "view %d of ranks %s, current ranks %s: at least one rank of the view must be current"
              .formatted(number, members, current));
    }
  }

  /** Returns the view of all ranks, with which a run begins. */
  public static View all(int ranks, long round) {
    List<Integer> all = IntStream.range(0, ranks).boxed().toList();
    return new View(0, all, round, all);
  }

  public boolean contains(int rank) {
    return position(rank) >= 0;
  }

  /** Returns the number of members. */
  public int size() {
    return members.size();
  }

  /** Returns a member's index among the members, from 0; negative if the rank is not a member. */
  public int position(int rank) {
    return Math.max(-1, Collections.binarySearch(members, rank));
  }

  /** Returns the member at this index. */
  public int rank(int position) {
    return members.get(position);
  }

  /**
   * Returns the member from which a rank gets its copy of the model: a neighbour, if any has the
   * model. The ranks without such a neighbour are spread over all members that have it.
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
