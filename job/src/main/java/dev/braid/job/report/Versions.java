package dev.braid.job.report;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Which Braid this is. */
public final class Versions {

  private Versions() {}

  /** Braid's version, as the build wrote it down. */
  public static String braid() {
    try (InputStream in = Versions.class.getResourceAsStream("/braid.properties")) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
