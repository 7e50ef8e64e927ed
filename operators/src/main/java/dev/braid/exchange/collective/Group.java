package dev.braid.exchange.collective;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The ranks among which a collective operation is made, in an order, and this rank's position among
 * them. All of them have the same members in the same order: sums are in that order.
 */
public final class Group {

  private final int[] members;
  private final int position;

  private Group(int[] members, int position) {
    this.members = members;
    this.position = position;
  }

  /**
   * A group of some ranks, such as a mesh's row.
   *
   * @param rank this one, which is a member
   * @param members all ranks of the group, in order, none of them twice
   */
  public static Group of(int rank, int... members) {
    if (Arrays.stream(members).distinct().count() < members.length) {
      throw new IllegalArgumentException(
          Arrays.toString(members) + ": the ranks of a group must be different");
    }
    int[] copy = members.clone();
    int position =
        IntStream.range(0, copy.length)
            .filter(i -> copy[i] == rank)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "rank " + rank + " is not in its group " + Arrays.toString(members)));
    return new Group(copy, position);
  }

  /** The group of all ranks, by rank. */
  public static Group ofAll(int rank, int ranks) {
    return of(rank, IntStream.range(0, ranks).toArray());
  }

  public int size() {
    return members.length;
  }

  /** This rank's place among the members, from 0. */
  public int position() {
    return position;
  }

  /** This rank. */
  public int rank() {
    return members[position];
  }

  /** The rank at a position. */
  public int member(int at) {
    return members[at];
  }

  @Override
  public String toString() {
    return Arrays.toString(members) + " of rank " + rank();
  }
}
