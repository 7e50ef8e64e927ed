package dev.braid.job.console;

import java.util.regex.Pattern;

/** Names of options in messages of Braid's libraries, which name settings in backquotes. */
public final class OptionNames {

  private static final Pattern SETTING = Pattern.compile("`([a-z]+(?:-[a-z]+)*)`");

  private OptionNames() {}

  /** Returns a message with options of the command line instead of settings. */
  public static String in(String message) {
    return SETTING.matcher(message).replaceAll("--$1");
  }
}
