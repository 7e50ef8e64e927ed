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
 * Decides who takes part: one for all ranks, told of what they see over a control plane that the
 * failures of links do not touch. So no two parts can each go on by themselves, and no protocol of
 * agreement is needed.
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
 * <p>It has ranks listen only when all have answered a call: one that stands still, for a garbage
 * collection or without its share of the processor, is heard by nobody for a while, either, but
 * what it holds is not lost. The others wait for it. One that stood still while ranks listened has
 * heard others that did not hear it: then they listen once more, before it is left out.
 *
 * <p>Of the parts into which the ranks have fallen the {@linkplain StrongestPart strongest} goes
 * on; but only one that has the model of the view so far, or updates would be lost. It goes on from
 * the last round that any of its members has completed. Another part's members may have completed
 * one more; they set it back. The members do the round again, with the same batches; the batch of a
 * rank that has set it back is used only if that rank is back before the round is complete.
 *
 * <p>It waits for no clock: ranks answer after a time of their own. While they listen training goes
 * on, so a false alarm costs a few small messages.
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
   * @param view in which the ranks begin
   * @param mayStop whether ranks may be told to stop now; where it said no, {@link #goOn()} asks
   *     again
   * @param toAll sends a message to all ranks
   */
  public Arbiter(View view, BooleanSupplier mayStop, Consumer<ToRank> toAll) {
    this.ranks = view.size();
    this.view = view;
    this.mayStop = mayStop;
    this.toAll = toAll;
  }

  /** The view that all ranks are in, or are told to enter. */
  public View view() {
    return view;
  }

  /** Whether ranks are told to stop, and not yet to enter a view. */
  public boolean isStopping() {
    return state == State.STOPPING;
  }

  /** A rank has said something. */
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

  /** Ranks may be told to stop, if they have to be. */
  public void goOn() {
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
    goOn();
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

  /** The part that goes on, of those that have one of these ranks. */
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
