package dev.braid.job.console;

/**
 * Text from outside, such as names in a history, without what a terminal or a browser would obey
 * rather than show.
 */
public final class Printable {

  private Printable() {}

  /**
   * Replaces control characters, invisible format characters (which may reverse the direction of a
   * line) and line separators by their codes, such as {@code \\u001b}.
   */
  public static String escaped(String text) {
    if (text.chars().noneMatch(Printable::isHidden)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.chars()
        .forEach(
            character -> {
              if (isHidden(character)) {
                shown.append("\\u%04x".formatted(character));
              } else {
                shown.append((char) character);
              }
            });
    return shown.toString();
  }

  /** Shortens a text that is longer than this, in its middle: its end may tell it from others. */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most / 2;
    return text.substring(0, most - end - 1) + "…" + text.substring(text.length() - end);
  }

  private static boolean isHidden(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
