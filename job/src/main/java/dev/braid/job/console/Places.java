package dev.braid.job.console;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Places as a user reads them. */
public final class Places {

  private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

  private Places() {}

  /** A path below the working folder from there, as the user may type it; others as they are. */
  public static String shown(Path path) {
    Path here = Path.of("").toAbsolutePath().normalize();
    Path whole = path.toAbsolutePath().normalize();
    return whole.startsWith(here) && !whole.equals(here)
        ? here.relativize(whole).toString()
        : path.toString();
  }

  /** The same of a path or a URI. */
  public static String shown(String place) {
    try {
      return place.contains(":") ? place : shown(Path.of(place));
    } catch (InvalidPathException e) {
      return place;
    }
  }

  /**
   * A sentence of somebody else's, who writes paths whole: those below the working folder from
   * there.
   */
  public static String within(String sentence) {
    String here = Path.of("").toAbsolutePath().normalize().toString();
    return sentence.replaceAll("(?<![\\w./-])" + Pattern.quote(here + "/"), "");
  }

  /** A place as it is shown, for a shell to read. */
  public static String inShell(String place) {
    return quoted(shown(place));
  }

  /** Returns a word as a shell reads it, in quotes where it needs them. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
