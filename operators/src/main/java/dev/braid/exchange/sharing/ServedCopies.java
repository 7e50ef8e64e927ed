package dev.braid.exchange.sharing;

import dev.braid.exchange.Port;
import dev.braid.exchange.membership.ReplicaCopy.Snapshot;
import dev.braid.exchange.participation.View;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The copy of the model that the master sends to all ranks of a view that are behind: one for all
 * of them, however many are back at once, as it was when the first one asked.
 *
 * <p>It goes on with the next view, if the master and one of those ranks do: so a copy comes to its
 * end where views change sooner than it is sent. Until the last of these ranks has it, none of what
 * has come to the master since then is with all ranks, so that the log keeps it for them.
 */
final class ServedCopies {

  /**
   * A copy.
   *
   * @param model numbered by the view in which it was taken
   * @param has by origin: how many parts are in it
   */
  record Served(Snapshot model, long[] has) {}

  private final int rank;
  private final Port port;

  private int master;

  /** Ranks that are behind, and of which it is not known that they have it all. */
  private final Set<Integer> behind = new HashSet<>();

  /** By rank that has asked: how many messages with parts have not come to it. */
  private final Map<Integer, Integer> underWay = new HashMap<>();

  private Optional<Served> served = Optional.empty();

  ServedCopies(int rank, Port port) {
    this.rank = rank;
    this.port = port;
  }

  /** A view begins, with this master. */
  void enter(View view, int itsMaster) {
    master = itsMaster;
    Set<Integer> behindBefore = Set.copyOf(behind);
    behind.clear();
    underWay.clear();
    view.members().stream().filter(it -> !view.current().contains(it)).forEach(behind::add);
    if (rank != master || behind.stream().noneMatch(behindBefore::contains)) {
      served = Optional.empty();
    }
  }

  /** All have the same. */
  void forget() {
    behind.clear();
    underWay.clear();
    served = Optional.empty();
  }

  /**
   * The copy, for a rank that is behind; taken now, if there is none.
   *
   * @param has what the model has now
   * @throws IllegalArgumentException if the rank is not behind, has asked in this view before, or
   *     asks another than the master
   */
  Served take(int to, long view, long[] has) {
    if (rank != master || !behind.contains(to) || underWay.containsKey(to)) {
      throw new IllegalArgumentException(
          "rank %d asks rank %d for its model: ranks that are back, here %s, ask the master, rank %d, once"
              .formatted(to, rank, behind, master));
    }
    Served now =
        served.orElseGet(
            () ->
                new Served(
                    new Snapshot(
                        view,
                        Arrays.stream(port.model()).map(float[]::clone).toArray(float[][]::new),
                        port.views().steps()),
                    has));
    served = Optional.of(now);
    return now;
  }

  /** So many messages are on their way to a rank. */
  void sent(int to, int messages) {
    underWay.put(to, messages);
    forgetIfAllHaveIt(to);
  }

  /** One of them has come. */
  void arrived(int to) {
    underWay.merge(to, -1, Integer::sum);
    forgetIfAllHaveIt(to);
  }

  private void forgetIfAllHaveIt(int to) {
    if (underWay.get(to) == 0) {
      behind.remove(to);
    }
    if (behind.isEmpty()) {
      served = Optional.empty();
    }
  }

  /** How many vectors of the model's length are kept here. */
  int vectors() {
    return served.map(it -> it.model().vectors().length).orElse(0);
  }
}
