package dev.braid.chaos.sim;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.Transit;
import java.util.HashMap;
import java.util.Map;

/**
 * Observes the exchanges' responses to faults on the wire: messages that their origin sends again,
 * by their numbers, and messages that do not take the direct link, by their routes. It asks no
 * exchange.
 */
final class WireWatch {

  private record Ends(int origin, int destination) {}

  /** The highest number that was sent from one rank to another in a generation. */
  private record Sent(int generation, long number) {}

  private final FaultCounts counts;
  private final Map<Ends, Sent> sent = new HashMap<>();

  WireWatch(FaultCounts counts) {
    this.counts = counts;
  }

  void see(Message message) {
    if (message.body() instanceof Sum sum && sum.kind() == Sum.Kind.TO_RELAY) {
      // Messages of the paper's fault-tolerant tree have neither numbers nor routes.
      counts.count(Response.REROUTED, 1);
    }
    boolean isNumbered = message.transit().number() > 0 && message.body().belongsToRound();
    if (isNumbered && message.from() == message.origin()) {
      seeNumbered(message);
    }
  }

  private void seeNumbered(Message message) {
    Transit transit = message.transit();
    if (!transit.route().isDirect()) {
      counts.count(Response.REROUTED, 1);
    }
    Ends link = new Ends(message.origin(), message.destination());
    Sent before = sent.get(link);
    boolean isAgain =
        before != null
            && before.generation == transit.generation()
            && transit.number() <= before.number;
    if (isAgain) {
      counts.count(Response.RETRANSMITTED, 1);
    } else {
      sent.put(link, new Sent(transit.generation(), transit.number()));
    }
  }

  /** Forgets all numbers: all ranks have crashed, and number messages from 1 again. */
  void crash() {
    sent.clear();
  }
}
