package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Transit;
import java.util.HashMap;
import java.util.Map;

/**
 * Which searches have passed a rank, so that each is passed on once, and again where it has come a
 * cheaper way.
 */
final class Floods {

  private record Key(Message.Kind kind, int origin, int target) {}

  private record Seen(long number, int cost) {}

  private final Map<Key, Seen> latest = new HashMap<>();

  /** Whether a message of a flood is new here, or has come a cheaper way than before. */
  boolean isNews(Message message, int cost) {
    Transit transit = message.transit();
    Key key = new Key(message.kind(), transit.route().origin(), (int) message.samples());
    Seen before = latest.get(key);
    Seen now = new Seen(transit.number(), cost);
    boolean news =
        before == null
            || now.number() > before.number()
            || (now.number() == before.number() && now.cost() < before.cost());
    if (news) {
      latest.put(key, now);
    }
    return news;
  }
}
