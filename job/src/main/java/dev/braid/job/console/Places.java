package dev.braid.job.console;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Paths and URIs as they are shown to a user. */
public final class Places {

  private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

  private Places() {}

  /**
   * Returns a path below the working folder relative to it, as a user may type it; other paths are
   * unchanged.
   */
  public static String shown(Path path) {
    Path here = Path.of("").toAbsolutePath().normalize();
    Path whole = path.toAbsolutePath().normalize();
    return whole.startsWith(here) && !whole.equals(here)
        ? here.relativize(whole).toString()
        : path.toString();
  }

  /** Returns a path below the working folder relative to it; other paths and URIs are unchanged. */
  public static String shown(String place) {
    try {
      return place.contains(":") ? place : shown(Path.of(place));
    } catch (InvalidPathException e) {
      return place;
    }
  }

  /**
   * Shortens the absolute paths in a sentence of another program: those below the working folder
   * become relative to it.
   */
  public static String within(String sentence) {
    String here = Path.of("").toAbsolutePath().normalize().toString();
    return sentence.replaceAll("(?<![\\w./-])" + Pattern.quote(here + "/"), "");
  }

  /** Returns a path or URI as it is shown, quoted for a shell. */
  public static String inShell(String place) {
    return quoted(shown(place));
  }

  /** Quotes a word for a shell if it needs quotes. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
