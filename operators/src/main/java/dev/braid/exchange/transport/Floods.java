package dev.braid.exchange.transport;

import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.Transit;
import java.util.HashMap;
import java.util.Map;

/**
 * The searches that have passed a rank. Each is passed on once, and again if it arrives by a
 * cheaper route.
 */
final class Floods {

  private record Key(LinkControl question, int origin) {}

  private record Seen(long number, int cost) {}

  private final Map<Key, Seen> latest = new HashMap<>();

  /**
   * Returns whether a search or its answer is new here, or has arrived by a cheaper route than
   * before.
   */
  boolean isNews(LinkControl question, Transit transit, int cost) {
    Key key = new Key(question, transit.route().origin());
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
