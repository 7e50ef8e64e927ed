package dev.braid.run.report;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.DealtOffsets;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.run.report.reported.PendingVersions.Pace;
import dev.braid.run.report.reported.PendingVersions.Pending;
import dev.braid.run.result.Versions;
import dev.braid.run.training.ModelCard;
import dev.braid.vector.VectorDigest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry in which a run publishes versions of its model, and the time between two versions.
 *
 * @param registry registry of the versions
 * @param data what the model is trained on
 * @param lineage place of the run's lineage; empty if it has none
 * @param samples topic of the samples, if they come from one
 */
public record Publishing(
    RegistryPlace registry, Pace pace, String data, String lineage, List<StreamTopic> samples)
    implements Serializable {

  private static final Logger LOG = LoggerFactory.getLogger(Publishing.class);

  /** Name of the file with all options of the run. */
  private static final String RUN_FILE = "run.yaml";

  /**
   * Name of the model file for other programs; written if ONNX has operators for all of the model.
   */
  private static final String ONNX = "model.onnx";

  /**
   * Returns the number of the newest version; 0 if there is none.
   *
   * @param card card of the model, as JSON; empty if only the program knows what it expects
   * @throws InvalidDataException if the newest version takes other samples: jobs that follow the
   *     registry could not use both
   */
  public int newest(String card) throws IOException {
    try (ModelRegistry opened = registry.open()) {
      if (opened.numbers().isEmpty()) {
        return 0;
      }
      int number = opened.numbers().last();
      Optional<ModelCard> there = card.isEmpty() ? Optional.empty() : cardOf(opened, number);
      if (there.filter(it -> !it.takesSamplesOf(ModelCard.of(card))).isPresent()) {
        throw new InvalidDataException(
            "%s: %s takes other features or classes, those of %s: a registry of its own is needed"
                .formatted(registry, ModelVersion.name(number), there.get().data()));
      }
      return number;
    }
  }

  /** Returns the card of a version, unless it is damaged or has no card. */
  private static Optional<ModelCard> cardOf(ModelRegistry opened, int number) throws IOException {
    Optional<ModelVersion> version = known(opened, number);
    try {
      if (version.isPresent()) {
        return ModelCard.of(opened, version.get());
      }
    } catch (InvalidDataException e) {
      LOG.warn("{} is damaged: {}", ModelVersion.name(number), e.getMessage());
    }
    return Optional.empty();
  }

  /**
   * Publishes a model, unless the registry has it already, or has a later model of the same run
   * under the same number or a later one. If the registry has the model's number or later ones, the
   * model gets the number after the newest.
   *
   * @param config configuration of the run's report
   * @param job id of the Flink job
   * @return the number of the version
   */
  public int publish(Pending pending, ReportConfig config, String job) throws IOException {
    try (ModelRegistry opened = registry.open()) {
      String digest = HexFormat.of().formatHex(VectorDigest.sha256(pending.weights()));
      Optional<DealtOffsets> dealt = dealt(opened, pending.round());
      ModelVersion version =
          new ModelVersion(
              ModelVersion.FORMAT,
              pending.number(),
              Versions.braid(),
              System.currentTimeMillis(),
              dealt.map(DealtOffsets::run).orElse(job),
              pending.round(),
              digest,
              data,
              lineage,
              dealt.map(DealtOffsets::entries).orElse(0L),
              dealt.map(DealtOffsets::offsets).orElse(List.of()),
              pending.figures(),
              new TreeMap<>());
      SortedSet<Integer> later = opened.numbers().tailSet(pending.number());
      for (int there : later) {
        if (known(opened, there).filter(it -> isPublished(version, it)).isPresent()) {
          return there;
        }
      }
      // A version with a lower number would never be in service.
      int number = later.isEmpty() ? pending.number() : later.last() + 1;
      Map<String, byte[]> files = files(config, pending.weights());
      opened.publish(version.with(number, files), files);
      return number;
    }
  }

  /**
   * Returns whether a version was published before, as this one or before this one. A restored run
   * publishes models again, and some of their versions may have been removed in the meantime.
   */
  private static boolean isPublished(ModelVersion version, ModelVersion there) {
    return version.isSameModel(there)
        || (version.run().equals(there.run()) && version.round() < there.round());
  }

  /** Returns a version, unless it is damaged or of a newer Braid, and thus a different one. */
  private static Optional<ModelVersion> known(ModelRegistry opened, int number) throws IOException {
    try {
      return opened.version(number);
    } catch (InvalidDataException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the offsets dealt up to a round; reads the lineage from the end of the run's newest
   * version.
   */
  private Optional<DealtOffsets> dealt(ModelRegistry opened, long rounds) throws IOException {
    if (lineage.isEmpty()) {
      return Optional.empty();
    }
    Optional<DealtOffsets> before = Optional.empty();
    if (!opened.numbers().isEmpty()) {
      before =
          known(opened, opened.numbers().last())
              .filter(it -> it.lineage().equals(lineage) && it.round() < rounds)
              .map(it -> new DealtOffsets(it.run(), it.round(), it.lineageEntries(), it.offsets()));
    }
    try (Lineage read = Lineage.open(lineage, samples.get(0))) {
      return Optional.of(DealtOffsets.of(read, rounds, before));
    }
  }

  private static Map<String, byte[]> files(ReportConfig config, float[] weights)
      throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    config.format().write(weights, new float[0][], 0, model);
    files.put(ModelVersion.MODEL, model.toByteArray());
    String card = config.format().card(config.texts().card(), weights);
    if (!card.isEmpty()) {
      files.put(ModelVersion.CARD, card.getBytes(StandardCharsets.UTF_8));
      config.format().onnx(card, weights).ifPresent(it -> files.put(ONNX, it));
    }
    if (!config.texts().runFile().isEmpty()) {
      files.put(RUN_FILE, config.texts().runFile().getBytes(StandardCharsets.UTF_8));
    }
    return files;
  }

  @Override
  public String toString() {
    return "versions in " + registry;
  }
}
