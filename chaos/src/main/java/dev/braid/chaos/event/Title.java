package dev.braid.chaos.event;

import java.util.List;

/** The names of actions. */
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

  private Title() {}

  static String of(Action action) {
    return action.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }
}
