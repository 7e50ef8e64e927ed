package dev.braid.exchange.membership;

import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Call;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.Heard;
import dev.braid.exchange.participation.ViewMessage.Here;
import dev.braid.exchange.participation.ViewMessage.Listen;
import dev.braid.exchange.participation.ViewMessage.Reachable;
import dev.braid.exchange.participation.ViewMessage.Silent;
import dev.braid.exchange.participation.ViewMessage.Stop;
import dev.braid.exchange.participation.ViewMessage.Stopped;
import dev.braid.exchange.participation.ViewMessage.ToArbiter;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.topology.StrongComponents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Decides which ranks take part. There is one arbiter for all ranks. They report what they see over
 * a control plane that failures of links do not affect. Two parts therefore never continue
 * independently of each other, and no agreement protocol is needed.
 *
 * <pre>
 *       Silent, Reachable       all Here           all Heard               all Stopped
 * stable ───────────▶ calling ───────▶ listening ─────────▶ changed, stopping ────▶ stable
 *    ▲                   ▲                 │      who is                  Enter
 *    │                   └─────────────────┤      connected has changed
 *    │                some one way, once   │
 *    └─────────────────────────────────────┘
 *                has not changed
 * </pre>
 *
 * <p>Ranks listen only when all of them have answered a call. A rank that is paused, by a garbage
 * collection or for lack of processor time, is not heard by any other for a while. Its state is not
 * lost, so the others wait for it. A rank that was paused while ranks listened has heard others
 * that did not hear it. In that case ranks listen once more before it is left out.
 *
 * <p>Of the parts into which the ranks have fallen, the {@linkplain StrongestPart strongest} one
 * with the current view's model continues; a part without that model would lose updates. It resumes
 * from the last round that any of its members has completed. Members of another part may have
 * completed one more round, which they roll back. The members of the new view repeat that round
 * with the same batches. The batch of a rank that has rolled the round back is used only if that
 * rank rejoins before the round is complete.
 *
 * <p>The arbiter uses no clock: ranks decide how long they take to answer. Training continues while
 * they listen, so a false alarm costs only a few small messages.
 */
public final class Arbiter {

  private enum State {
    STABLE,
    CALLING,
    LISTENING,
    CHANGED,
    STOPPING
  }

  private final int ranks;
  private final BooleanSupplier mayStop;
  private final Consumer<ToRank> toAll;
  private final Set<Integer> here = new HashSet<>();
  private final Map<Integer, Heard> heard = new TreeMap<>();
  private final Map<Integer, Stopped> stopped = new TreeMap<>();

  private State state = State.STABLE;
  private View view;
  private long poll;

  /** Whether ranks listen for the second time. */
  private boolean isSecond;

  /**
   * Creates the arbiter of all ranks in a view.
   *
   * @param view the view with which the ranks begin
   * @param mayStop whether ranks may be stopped now; after it has returned false, {@link
   *     #stopIfDue()} asks again
   * @param toAll sends a message to all ranks
   */
  public Arbiter(View view, BooleanSupplier mayStop, Consumer<ToRank> toAll) {
    this.ranks = view.size();
    this.view = view;
    this.mayStop = mayStop;
    this.toAll = toAll;
  }

  /** Returns the view that all ranks are in or have been asked to enter. */
  public View view() {
    return view;
  }

  /**
   * Returns whether ranks have been asked to stop and have not been asked to enter a view since
   * then.
   */
  public boolean isStopping() {
    return state == State.STOPPING;
  }

  /** Processes a message from a rank. */
  public void receive(int rank, ToArbiter message) {
    if (message instanceof Silent || message instanceof Reachable) {
      call();
    } else if (message instanceof Here answer) {
      if (state == State.CALLING && answer.poll() == poll) {
        here.add(rank);
        listenIfAllHere();
      }
    } else if (message instanceof Heard answer) {
      if (state == State.LISTENING && answer.poll() == poll) {
        heard.put(rank, answer);
        compareIfAllAnswered();
      }
    } else if (message instanceof Stopped answer) {
      if (state == State.STOPPING && answer.poll() == poll) {
        stopped.put(rank, answer);
        changeIfAllAnswered();
      }
    }
  }

  /** Stops the ranks if a new view is due and they may be stopped now. */
  public void stopIfDue() {
    if (state == State.CHANGED && mayStop.getAsBoolean()) {
      state = State.STOPPING;
      stopped.clear();
      toAll.accept(new Stop(poll));
    }
  }

  private void call() {
    if (state == State.STABLE) {
      isSecond = false;
      callAll();
    }
  }

  private void callAll() {
    state = State.CALLING;
    poll++;
    here.clear();
    toAll.accept(new Call(poll));
  }

  private void listenIfAllHere() {
    if (here.size() == ranks) {
      state = State.LISTENING;
      heard.clear();
      toAll.accept(new Listen(poll));
    }
  }

  private void compareIfAllAnswered() {
    if (heard.size() < ranks) {
      return;
    }
    boolean same = chosen(view.members()).equals(view.members());
    if (!same && !isSecond && someAreHeardOneWayOnly()) {
      isSecond = true;
      callAll();
      return;
    }
    state = same ? State.STABLE : State.CHANGED;
    stopIfDue();
  }

  private boolean someAreHeardOneWayOnly() {
    return heard.entrySet().stream()
        .anyMatch(
            one ->
                one.getValue().ranks().stream()
                    .anyMatch(other -> !heard.get(other).ranks().contains(one.getKey())));
  }

  private void changeIfAllAnswered() {
    if (stopped.size() < ranks) {
      return;
    }
    List<Integer> valid = new ArrayList<>();
    stopped.forEach(
        (rank, answer) -> {
          if (answer.view() == view.number()) {
            valid.add(rank);
          }
        });
    List<Integer> members = chosen(valid);
    List<Integer> sources = members.stream().filter(valid::contains).toList();
    long round = sources.stream().mapToLong(this::completed).max().orElseThrow();
    List<Integer> current = sources.stream().filter(rank -> completed(rank) == round).toList();
    view = new View(view.number() + 1, members, round, current);
    state = State.STABLE;
    toAll.accept(new Enter(view));
  }

  private long completed(int rank) {
    return stopped.get(rank).completedRounds();
  }

  /** Returns the strongest part among those that contain at least one of the given ranks. */
  private List<Integer> chosen(List<Integer> oneOf) {
    List<List<Integer>> parts =
        StrongComponents.of(heard.values().stream().map(Heard::ranks).toList());
    List<List<Integer>> eligible =
        parts.stream().filter(part -> part.stream().anyMatch(oneOf::contains)).toList();
    return StrongestPart.of(eligible)
        .orElseThrow(
            () -> new IllegalStateException("none of the ranks " + oneOf + " is among " + parts));
  }
}
