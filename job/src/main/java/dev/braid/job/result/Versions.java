package dev.braid.job.result;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Which Braid this is, and what it brings. */
public final class Versions {

  private Versions() {}

  /** Braid's version, as the build wrote it down. */
  public static String braid() {
    return property("version");
  }

  /** The version of Chart.js on the class path. */
  public static String chartJs() {
    return property("chartjs.version");
  }

  private static String property(String name) {
    try (InputStream in = Versions.class.getResourceAsStream("/braid.properties")) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty(name, "unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
