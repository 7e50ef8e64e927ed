package dev.braid.job.console;

import java.util.regex.Pattern;

/** Names of options in messages of Braid's libraries, which name settings in backquotes. */
public final class OptionNames {

  /** The settings that libraries name. Other words in backquotes may come from the user's data. */
  private static final Pattern SETTING =
      Pattern.compile(
          "`(chaos-topic|data|epochs|kafka-brokers|kafka-config|label|learning-rate|math|model"
              + "|other-data|regression|require|seed|standardize|updater|validation|workers)`");

  private OptionNames() {}

  /** Returns a message with options of the command line instead of settings. */
  public static String in(String message) {
    return SETTING.matcher(message).replaceAll("--$1");
  }
}
