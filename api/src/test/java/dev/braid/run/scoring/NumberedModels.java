package dev.braid.run.scoring;

import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Models;
import dev.braid.run.training.ModelCard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Publishes models whose outputs prove which version has computed them. */
public final class NumberedModels implements AutoCloseable {

  /** Shape with one feature and one value. */
  public static final Shape VALUE = new Shape(1, 1, 1, 1, Shape.Kind.VALUES);

  private final ModelRegistry registry;

  /** Opens the registry in a folder. */
  public NumberedModels(Path folder) throws IOException {
    this(RegistryPlace.folder(folder.toString()).open());
  }

  /** Publishes into a registry, which is closed with this. */
  public NumberedModels(ModelRegistry registry) {
    this.registry = registry;
  }

  public ModelRegistry registry() {
    return registry;
  }

  /** Publishes the model {@code value = feature + 1000 * number}, without a card. */
  public void publish(int number) throws IOException {
    publish(number, VALUE, new float[] {1, 1000 * number}, Optional.empty());
  }

  /** Publishes a model with one layer. */
  public void publish(int number, Shape shape, float[] weights, Optional<ModelCard> card)
      throws IOException {
    Map<String, byte[]> contents = new HashMap<>();
    contents.put(ModelVersion.MODEL, model(shape, weights));
    card.ifPresent(
        it -> contents.put(ModelVersion.CARD, it.toJson().getBytes(StandardCharsets.UTF_8)));
    publish(number, contents);
  }

  /** Publishes a version with some files. */
  public void publish(int number, Map<String, byte[]> contents) throws IOException {
    registry.publish(version(number).with(number, contents), contents);
  }

  /** Returns a version without files. */
  public static ModelVersion version(int number) {
    return new ModelVersion(
        ModelVersion.FORMAT,
        number,
        "test",
        System.currentTimeMillis(),
        "run",
        number,
        "digest " + number,
        "data",
        "",
        0,
        List.of(),
        new TreeMap<>(),
        new TreeMap<>());
  }

  /** Returns the file of a model with one layer. */
  public static byte[] model(Shape shape, float[] weights) throws IOException {
    ModelSpec spec = Models.of("logistic", shape, 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ModelFiles.write(out, spec, weights, new float[0][], 0, spec.updater());
    return out.toByteArray();
  }

  @Override
  public void close() {
    registry.close();
  }
}
