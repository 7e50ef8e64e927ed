package dev.braid.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * Groups of ranks that have a route to each other in both directions, over links that may work in
 * one direction only: the strongly connected components of the graph of ranks that hear each other.
 *
 * <p>It searches forwards and backwards from each component's lowest rank. This takes at most n
 * times the number of links, where n is the number of workers of one job.
 */
public final class StrongComponents {

  private StrongComponents() {}

  /**
   * Returns all components, each in ascending order, ordered by their lowest rank.
   *
   * @param heard by rank: the ranks that it hears
   */
  public static List<List<Integer>> of(List<? extends Collection<Integer>> heard) {
    List<List<Integer>> hearing = new ArrayList<>();
    heard.forEach(any -> hearing.add(new ArrayList<>()));
    for (int rank = 0; rank < heard.size(); rank++) {
      for (int other : heard.get(rank)) {
        hearing.get(other).add(rank);
      }
    }
    List<List<Integer>> components = new ArrayList<>();
    BitSet placed = new BitSet();
    for (int rank = 0; rank < heard.size(); rank++) {
      if (!placed.get(rank)) {
        BitSet component = reached(rank, heard);
        component.and(reached(rank, hearing));
        placed.or(component);
        components.add(component.stream().boxed().toList());
      }
    }
    return components;
  }

  private static BitSet reached(int start, List<? extends Collection<Integer>> next) {
    BitSet reached = new BitSet();
    BitSet open = new BitSet();
    open.set(start);
    while (!open.isEmpty()) {
      int rank = open.nextSetBit(0);
      open.clear(rank);
      reached.set(rank);
      for (int other : next.get(rank)) {
        if (!reached.get(other)) {
          open.set(other);
        }
      }
    }
    return reached;
  }
}
