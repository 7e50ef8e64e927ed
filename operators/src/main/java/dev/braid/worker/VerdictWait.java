package dev.braid.worker;

import dev.braid.exchange.HostedExchange;
import dev.braid.learner.Learner;
import java.util.List;

/**
 * A rank's wait for the verdict on an epoch. Where ranks go their own pace, a verdict is given
 * without those that cannot be reached: so the rank goes on finding out who can be, and asks again
 * when that has changed.
 */
final class VerdictWait {

  private final TrainerHost host;
  private final HostedExchange exchange;

  private List<Integer> toldAbsent = List.of();

  VerdictWait(TrainerHost host, HostedExchange exchange) {
    this.host = host;
    this.exchange = exchange;
  }

  void ask(long view, int epoch, Learner.Score score) {
    toldAbsent = exchange.measured().absentRanks();
    host.askVerdict(new VerdictQuestion(view, epoch, score, toldAbsent));
  }

  /** Whether others are away now than those that were told. */
  boolean isToAskAgain() {
    return !toldAbsent.equals(exchange.measured().absentRanks());
  }

  void begins() {
    exchange.asynchronous().ifPresent(it -> it.awaitOthers(true));
  }

  void ends() {
    exchange.asynchronous().ifPresent(it -> it.awaitOthers(false));
  }
}
