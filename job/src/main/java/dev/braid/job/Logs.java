package dev.braid.job;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.logging.log4j.core.config.Configurator;

/** The log of an embedded run: a file, so that progress stays readable. */
final class Logs {

  private Logs() {}

  /** From now on, what Flink and others log goes to a file; its folder must be there. */
  static void writeTo(Path file) {
    System.setProperty("braid.log", file.toString());
    Configurator.reconfigure(configuration());
  }

  private static URI configuration() {
    try {
      return Objects.requireNonNull(Logs.class.getResource("/log4j2-embedded.properties")).toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is no URI", e);
    }
  }
}
