package dev.braid.run.result;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Versions of Braid and of the libraries that it contains or needs. */
public final class Versions {

  private Versions() {}

  /** Returns Braid's version, as recorded by the build. */
  public static String braid() {
    return property("version");
  }

  /** Returns the version of Chart.js on the class path. */
  public static String chartJs() {
    return property("chartjs.version");
  }

  /** Returns the version of Flink that Braid was built for; a cluster may have another one. */
  public static String flink() {
    return property("flink.version");
  }

  /** Returns the versions of the libraries that a cluster's lib folder must have, by name. */
  public static Map<String, String> clusterLibraries() {
    Map<String, String> versions = new LinkedHashMap<>();
    for (String name : List.of("deeplearning4j-nn", "nd4j-api", "nd4j-native")) {
      versions.put(name, property("dl4j.version"));
    }
    versions.put("javacpp", property("javacpp.version"));
    versions.put("openblas", property("openblas.version"));
    return versions;
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
