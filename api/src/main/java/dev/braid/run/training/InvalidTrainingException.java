package dev.braid.run.training;

import java.io.Serial;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Thrown if a setting of a training is invalid, or does not apply to the other settings. */
public final class InvalidTrainingException extends IllegalArgumentException {

  @Serial private static final long serialVersionUID = 1L;

  private static final Pattern NAME = Pattern.compile("\\{([a-z -]+)}");

  private final String template;

  /**
   * Creates an exception.
   *
   * @param setting the name of the setting
   * @param mistake value of the setting, what is wrong, and what would be right; names of other
   *     settings are in braces
   */
  public InvalidTrainingException(String setting, String mistake) {
    super(named(setting + " " + mistake, name -> name));
    this.template = "{" + setting + "} " + mistake;
  }

  /** Returns the message with other names of the settings, such as those of options. */
  public String named(UnaryOperator<String> names) {
    return named(template, names);
  }

  private static String named(String template, UnaryOperator<String> names) {
    return NAME.matcher(template)
        .replaceAll(found -> Matcher.quoteReplacement(names.apply(found.group(1))));
  }
}
