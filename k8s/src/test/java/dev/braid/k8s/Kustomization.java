package dev.braid.k8s;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Objects that {@code kubectl apply -k} would send, built by kustomize without a cluster. */
final class Kustomization {

  /** Command that prints the objects of a folder; empty if no such program is installed. */
  private static final Optional<List<String>> BUILD =
      Stream.of(List.of("kustomize", "build"), List.of("kubectl", "kustomize"))
          .filter(command -> isInstalled(command.get(0)))
          .findFirst();

  private static final Map<Path, List<ObjectNode>> BUILT = new ConcurrentHashMap<>();

  private Kustomization() {}

  /** Returns copies of all objects of a folder; without kustomize, the calling test is skipped. */
  static List<ObjectNode> build(Path folder) {
    assumeTrue(BUILD.isPresent(), "needs kustomize or kubectl");
    return BUILT.computeIfAbsent(folder, Kustomization::run).stream()
        .map(ObjectNode::deepCopy)
        .toList();
  }

  /** Returns an identifier of an object, unique within its namespace. */
  static String id(JsonNode object) {
    return "%s %s %s"
        .formatted(
            object.path("apiVersion").asText(),
            object.path("kind").asText(),
            object.at("/metadata/name").asText());
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static List<ObjectNode> run(Path folder) {
    try {
      List<String> command =
          Stream.concat(BUILD.orElseThrow().stream(), Stream.of(folder.toString())).toList();
      Path built = Files.createTempFile("built", ".yaml");
      Path errors = Files.createTempFile("errors", "");
      try {
        int exitCode =
            new ProcessBuilder(command)
                .redirectOutput(built.toFile())
                .redirectError(errors.toFile())
                .start()
                .waitFor();
        if (exitCode != 0) {
          throw new IllegalStateException(command + ": " + Files.readString(errors));
        }
        return Yaml.documents(built).stream().map(ObjectNode.class::cast).toList();
      } finally {
        Files.delete(built);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
