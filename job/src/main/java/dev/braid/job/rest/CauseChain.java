package dev.braid.job.rest;

import dev.braid.job.console.OptionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.util.ExceptionUtils;

/**
 * Causes of a failure, from the outermost exception to the deepest cause, parsed from the text of a
 * stack trace. For a cluster's exceptions, the text is the only source that does not require
 * deserializing foreign objects. A server's exceptions that are quoted in a client's exception
 * belong to the chain.
 *
 * @param causes at least one, the outermost first
 */
public record CauseChain(List<Cause> causes) {

  private static final String CAUSED_BY = "Caused by: ";

  /**
   * Flink's wrapper around an exception of which it has only the text, which names the class again.
   */
  private static final String SERIALIZED = "org.apache.flink.util.SerializedThrowable";

  /**
   * An exception.
   *
   * @param type qualified name of the class
   * @param message may have several lines; may be empty
   */
  public record Cause(String type, String message) {

    /** Returns the class's name without its package and outer classes. */
    public String simpleType() {
      return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }

    /** Returns whether the exception is of exactly this class. */
    public boolean is(Class<? extends Throwable> other) {
      return type.equals(other.getName());
    }

    /**
     * Returns the message in one line. For some classes, the message alone would not be understood,
     * so words are added.
     */
    public String line() {
      String first = message.strip().lines().findFirst().orElse("").strip();
      if (first.isEmpty()) {
        return simpleType();
      }
      return switch (simpleType()) {
        case "NoClassDefFoundError", "ClassNotFoundException" -> missingClass(first);
        case "NoSuchFileException" -> first + ": no such file";
        case "AccessDeniedException" -> first + ": permission denied";
        case "FileAlreadyExistsException" -> first + " is not a folder";
        case "UnknownHostException" -> "unknown host " + first;
        default -> first;
      };
    }

    private static String missingClass(String message) {
      // A message of several words says that the class exists, but could not be loaded.
      return message.contains(" ") ? message : "class " + message.replace('/', '.') + " is missing";
    }
  }

  public CauseChain {
    if (causes.isEmpty()) {
      throw new IllegalArgumentException("a failure has at least one cause");
    }
    causes = List.copyOf(causes);
  }

  /** Returns the causes of an exception of this process. */
  public static CauseChain of(Throwable failure) {
    return parse(ExceptionUtils.stringifyException(failure));
  }

  /** Parses the output of {@link Throwable#printStackTrace()}. */
  public static CauseChain parse(String stackTrace) {
    List<Cause> causes = new ArrayList<>();
    Optional<StringBuilder> header = Optional.of(new StringBuilder());
    for (String line : stackTrace.lines().toList()) {
      boolean begins = line.startsWith(CAUSED_BY);
      if (begins || line.startsWith("\t")) {
        header.ifPresent(it -> add(it.toString(), causes));
        header = Optional.empty();
      }
      if (begins) {
        header = Optional.of(new StringBuilder(line.substring(CAUSED_BY.length())));
      } else {
        header.ifPresent(it -> it.append(it.isEmpty() ? "" : "\n").append(line));
      }
    }
    header.ifPresent(it -> add(it.toString(), causes));
    return new CauseChain(causes);
  }

  private static void add(String header, List<Cause> causes) {
    int colon = header.indexOf(": ");
    String type = colon < 0 ? header.strip() : header.substring(0, colon);
    String message = colon < 0 ? "" : header.substring(colon + 2);
    boolean isRepeated = type.equals(SERIALIZED) || message.startsWith(type + ": ");
    if (isRepeated && !message.isEmpty()) {
      add(message, causes);
    } else if (type.contains(" ")) {
      causes.add(new Cause("", OptionNames.in(header)));
    } else {
      causes.add(new Cause(type, OptionNames.in(message)));
    }
  }

  public Cause deepest() {
    return causes.get(causes.size() - 1);
  }

  /** Returns the outermost cause that matches. */
  public Optional<Cause> find(Predicate<Cause> wanted) {
    return causes.stream().filter(wanted).findFirst();
  }
}
