package dev.braid.chaos.event;

import java.util.List;

/** Names of actions. */
final class Title {

  static final List<String> ALL =
      List.of(
          "cut",
          "heal",
          "delay",
          "drop",
          "duplicate",
          "reorder",
          "corrupt",
          "throttle",
          "straggle",
          "isolate",
          "rejoin");

  private static final List<String> OF_RANKS = List.of("straggle", "isolate", "rejoin");

  private Title() {}

  /** Returns whether an action of this name concerns ranks instead of links. */
  static boolean concernsRanks(String title) {
    return OF_RANKS.contains(title);
  }

  static String of(Action action) {
    return action.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }
}
