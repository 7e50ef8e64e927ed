package dev.braid.exchange.sharing;

import dev.braid.exchange.Port;
import dev.braid.exchange.membership.ReplicaCopy.Snapshot;
import dev.braid.exchange.participation.View;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The copy of the model that the master sends to all ranks of a view that are behind. There is one
 * copy for all of them, however many rejoin at once: the model at the time of the first request.
 *
 * <p>The copy is still used in the next view if the master is the same and at least one of those
 * ranks is still behind. A transfer therefore completes even if views change sooner than it takes.
 * Until the last of these ranks has the copy, parts that the master has received since then are not
 * at all ranks, so the log keeps them.
 */
final class ServedCopies {

  /**
   * A copy of the model.
   *
   * @param model the copy, numbered by the view in which it was made
   * @param has by origin: number of parts in the copy
   */
  record Served(Snapshot model, long[] has) {}

  private static final int NOT_ASKED = -1;

  private final int rank;
  private final Port port;

  private int master;

  /**
   * By rank that is behind and may not have received the whole copy yet: number of messages with
   * parts that have not arrived; {@link #NOT_ASKED} before its request.
   */
  private final Map<Integer, Integer> behind = new HashMap<>();

  private Optional<Served> served = Optional.empty();

  ServedCopies(int rank, Port port) {
    this.rank = rank;
    this.port = port;
  }

  /** Enters a view with the given master. */
  void enter(View view, int itsMaster) {
    master = itsMaster;
    Set<Integer> behindBefore = Set.copyOf(behind.keySet());
    behind.clear();
    view.members().stream()
        .filter(it -> !view.current().contains(it))
        .forEach(it -> behind.put(it, NOT_ASKED));
    if (rank != master || behind.keySet().stream().noneMatch(behindBefore::contains)) {
      served = Optional.empty();
    }
  }

  /** Forgets all copies and requests, because all ranks have the same model. */
  void forget() {
    behind.clear();
    served = Optional.empty();
  }

  /**
   * Returns the copy for a rank that is behind, and makes it if there is none.
   *
   * @param has by origin: number of parts that the model has now
   * @throws IllegalArgumentException if the rank is not behind, has already asked in this view, or
   *     asks another rank than the master
   */
  Served take(int to, long view, long[] has) {
    if (rank != master || behind.getOrDefault(to, 0) != NOT_ASKED) {
      throw new IllegalArgumentException(
          ("rank %d must not request a copy from rank %d: rejoining ranks, %s, request one from "
                  + "master %d")
              .formatted(to, rank, behind.keySet(), master));
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

  /** Notes the number of messages in flight to a rank. */
  void sent(int to, int messages) {
    behind.put(to, messages);
    forgetIfAllHaveIt(to);
  }

  /** Notes that one of these messages has arrived. */
  void arrived(int to) {
    behind.computeIfPresent(to, (key, messages) -> messages - 1);
    forgetIfAllHaveIt(to);
  }

  private void forgetIfAllHaveIt(int to) {
    behind.remove(to, 0);
    if (behind.isEmpty()) {
      served = Optional.empty();
    }
  }

  /** Returns the number of vectors of the model's length that are kept here. */
  int vectors() {
    return served.map(it -> it.model().vectors().length).orElse(0);
  }
}
