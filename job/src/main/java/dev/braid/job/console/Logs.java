package dev.braid.job.console;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/** The log file of an embedded run, which keeps log lines out of the progress display. */
public final class Logs {

  /** System property with the log file's path, read by {@link #configuration}. */
  static final String FILE = "braid.log";

  private static final long FAREWELL_MILLIS = 3_000;

  private Logs() {}

  /** Redirects the log of Flink and other libraries to a file, whose folder must exist. */
  public static void writeTo(Path file) {
    System.setProperty(FILE, file.toString());
    Configurator.reconfigure(configuration());
    Runtime.getRuntime().addShutdownHook(new Thread(Logs::end, "braid-log-end"));
  }

  /** Flushes the log, but does not wait long for a disk that does not respond. */
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

  /** Returns the configuration that logs to the file named by the system property {@link #FILE}. */
  static URI configuration() {
    try {
      return Objects.requireNonNull(Logs.class.getResource("/log4j2-embedded.properties")).toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is not a URI", e);
    }
  }
}
