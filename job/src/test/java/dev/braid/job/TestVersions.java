package dev.braid.job;

import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.text.TableOptions;
import dev.braid.learner.OffsetRange;
import dev.braid.vector.VectorDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Versions in registries, as a training job publishes them. */
public final class TestVersions {

  /** Time of version 0, in milliseconds since 1970; each later version is a second younger. */
  private static final long EPOCH_MILLIS = 1_790_000_000_000L;

  private TestVersions() {}

  /**
   * Publishes models of a table with the columns {@code a}, {@code b} and {@code kind}, without a
   * lineage. Version n is of round 100 n. Odd versions predict {@code left} if {@code a} is
   * greater, even ones if {@code b} is.
   */
  public static void ofTable(String registry, Path folder, int versions) throws IOException {
    List<String> rows = new ArrayList<>(List.of("a,b,kind"));
    for (int i = 0; i < 15; i++) {
      rows.addAll(List.of(i + 1 + "," + i + ",left", i + "," + (i + 1) + ",right"));
    }
    for (int number = 1; number <= versions; number++) {
      float sign = number % 2 == 0 ? -4 : 4;
      TrainedTable.save(
          folder,
          new TableOptions("", List.of(), List.of(), false),
          new float[] {sign, 0, 0, sign, 0, 0},
          rows);
      publish(registry, Map.of(), folder, version(number, digest(folder.resolve("model.zip"))));
    }
  }

  /** Returns a version without files that was trained from files. */
  public static ModelVersion version(int number, String digest) {
    return of(number, 100L * number, digest, "", 0, List.of());
  }

  /** Returns a version without files. */
  public static ModelVersion of(
      int number,
      long round,
      String digest,
      String lineage,
      long entries,
      List<OffsetRange> offsets) {
    return new ModelVersion(
        ModelVersion.FORMAT,
        number,
        "0.1.0",
        EPOCH_MILLIS + 1000L * number,
        "run-7",
        round,
        digest,
        "train.csv",
        lineage,
        entries,
        offsets,
        new TreeMap<>(Map.of("loss", 1.0 / number, "accuracy", 0.9)),
        new TreeMap<>());
  }

  /** Publishes a version with the model in a folder. */
  public static void publish(
      String registry, Map<String, String> kafka, Path folder, ModelVersion version)
      throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (String name : List.of(ModelVersion.MODEL, ModelVersion.CARD)) {
      contents.put(name, Files.readAllBytes(folder.resolve(name)));
    }
    try (ModelRegistry opened = new RegistryPlace(registry, kafka).open()) {
      opened.publish(version.with(version.number(), contents), contents);
    }
  }

  /** Returns the digest of a saved model's weights. */
  public static String digest(Path model) {
    return HexFormat.of().formatHex(VectorDigest.sha256(ModelFiles.load(model).weights()));
  }
}
