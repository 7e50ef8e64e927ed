package dev.braid.text;

/**
 * Makes text from elsewhere safe to show: names in data, lines of files, messages of libraries. A
 * control character could steer a terminal, end a line or hide what follows. So it is shown as an
 * escape, such as {@code \n} or {@code \u001b}. Everything that prints such text calls this class.
 */
public final class Printable {

  private Printable() {}

  /** Returns a text with each control and format character escaped, as Java and JSON write them. */
  public static String of(String text) {
    if (text.codePoints().noneMatch(Printable::isHidden)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            letter -> {
              if (isHidden(letter)) {
                escape(letter, shown);
              } else {
                shown.appendCodePoint(letter);
              }
            });
    return shown.toString();
  }

  /**
   * Shortens a text of more than {@code most} characters in its middle, because its end may
   * distinguish it from others.
   */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most / 2;
    return text.substring(0, most - end - 1) + "…" + text.substring(text.length() - end);
  }

  private static void escape(int letter, StringBuilder into) {
    switch (letter) {
      case '\n' -> into.append("\\n");
      case '\r' -> into.append("\\r");
      case '\t' -> into.append("\\t");
      default -> {
        for (char part : Character.toChars(letter)) {
          into.append(String.format("\\u%04x", (int) part));
        }
      }
    }
  }

  private static boolean isHidden(int letter) {
    return switch (Character.getType(letter)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
