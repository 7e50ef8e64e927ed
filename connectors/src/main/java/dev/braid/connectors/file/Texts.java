package dev.braid.connectors.file;

import dev.braid.text.Printable;
import java.util.List;

/**
 * Formats untrusted texts for messages: they may be long, or contain control sequences for a
 * terminal.
 */
public final class Texts {

  private static final int SHOWN_LETTERS = 60;
  private static final int SHOWN_NAMES = 10;

  private Texts() {}

  /** Returns a shortened text in quotes. */
  public static String quote(String text) {
    return "'" + shorten(text) + "'";
  }

  /** Returns a text without control characters, shortened to the length of a line. */
  public static String shorten(String text) {
    String shown = text.length() <= SHOWN_LETTERS ? text : text.substring(0, SHOWN_LETTERS) + "…";
    return Printable.of(shown);
  }

  /** Returns the first names of a list, separated by commas. */
  public static String list(List<String> names) {
    String shown =
        String.join(", ", names.stream().limit(SHOWN_NAMES).map(Texts::shorten).toList());
    return names.size() <= SHOWN_NAMES
        ? shown
        : shown + " and " + (names.size() - SHOWN_NAMES) + " more";
  }
}
