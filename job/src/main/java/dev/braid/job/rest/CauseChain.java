package dev.braid.job.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.util.ExceptionUtils;

/**
 * Why something failed, from the outermost exception to the deepest cause, read from the text of a
 * stack trace: of a cluster's exceptions that is all there is, without making objects of what
 * somebody has sent. Exceptions of a server that are quoted in that of a client belong to the
 * chain.
 *
 * @param causes at least one, the outermost first
 */
public record CauseChain(List<Cause> causes) {

  private static final String CAUSED_BY = "Caused by: ";

  /**
   * Flink's, around an exception of which it has the text only, in which the class is named again.
   */
  private static final String SERIALIZED = "org.apache.flink.util.SerializedThrowable";

  /**
   * An exception.
   *
   * @param type the class, by its whole name
   * @param message may have several lines; may be empty
   */
  public record Cause(String type, String message) {

    /** The class by its last name. */
    public String simpleType() {
      return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }

    /** Whether it is one of this class. */
    public boolean is(Class<? extends Throwable> other) {
      return type.equals(other.getName());
    }

    /** What it says, in a line: for some classes the message alone says nothing. */
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
      // With other words, there is the class, but it could not be loaded.
      return message.contains(" ") ? message : "class " + message.replace('/', '.') + " is missing";
    }
  }

  public CauseChain {
    if (causes.isEmpty()) {
      throw new IllegalArgumentException("a failure has at least one cause");
    }
    causes = List.copyOf(causes);
  }

  /** Of an exception of this process. */
  public static CauseChain of(Throwable failure) {
    return parse(ExceptionUtils.stringifyException(failure));
  }

  /** Reads what {@link Throwable#printStackTrace()} has written. */
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
      causes.add(new Cause("", header));
    } else {
      causes.add(new Cause(type, message));
    }
  }

  public Cause deepest() {
    return causes.get(causes.size() - 1);
  }

  /** The outermost of this kind. */
  public Optional<Cause> find(Predicate<Cause> wanted) {
    return causes.stream().filter(wanted).findFirst();
  }
}
