package dev.braid.job.console;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/** The log of an embedded run: a file, so that progress stays readable. */
public final class Logs {

  /** What the log's file is called in {@link #configuration}. */
  static final String FILE = "braid.log";

  private static final long FAREWELL_MILLIS = 3_000;

  private Logs() {}

  /** From now on, what Flink and others log goes to a file; its folder must be there. */
  public static void writeTo(Path file) {
    System.setProperty(FILE, file.toString());
    Configurator.reconfigure(configuration());
    Runtime.getRuntime().addShutdownHook(new Thread(Logs::end, "braid-log-end"));
  }

  /** Writes what is left, but does not wait long for a disk that does not answer. */
  private static void end() {
    Thread end = new Thread(() -> LogManager.shutdown(), "braid-log-shutdown");
    end.setDaemon(true);
    end.start();
    try {
      end.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How to log to the file that the system property {@link #FILE} names. */
  static URI configuration() {
    try {
      return Objects.requireNonNull(Logs.class.getResource("/log4j2-embedded.properties")).toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is not a URI", e);
    }
  }
}
