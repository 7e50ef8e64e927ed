package dev.braid.exchange.collective;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The ordered ranks that perform a collective operation, and this rank's position among them. All
 * members use the same order, which is the order of summation.
 */
public final class Group {

  private final int[] members;
  private final int position;

  private Group(int[] members, int position) {
    this.members = members;
    this.position = position;
  }

  /**
   * Returns a group of some ranks, such as a row of a mesh.
   *
   * @param rank this rank, one of the members
   * @param members all ranks of the group, in order and distinct
   * @throws IllegalArgumentException if a member occurs twice or {@code rank} is not a member
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

  /** Returns the group of all ranks, in ascending order. */
  public static Group ofAll(int rank, int ranks) {
    return of(rank, IntStream.range(0, ranks).toArray());
  }

  public int size() {
    return members.length;
  }

  /** Returns this rank's position among the members, from 0. */
  public int position() {
    return position;
  }

  /** Returns this rank. */
  public int rank() {
    return members[position];
  }

  /** Returns the rank at a position. */
  public int member(int at) {
    return members[at];
  }

  @Override
  public String toString() {
    return Arrays.toString(members) + " of rank " + rank();
  }
}
