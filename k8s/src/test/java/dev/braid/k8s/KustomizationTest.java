package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What these tests take for deployed is what kustomize would make. */
class KustomizationTest {

  static List<Path> deployable() {
    return Manifests.deployable();
  }

  /** Where there is a kubectl, of which kustomize is a part. It talks to no cluster for this. */
  @ParameterizedTest
  @MethodSource("deployable")
  void itIsWhatKustomizeMakes(Path folder, @TempDir Path temporary) throws Exception {
    assumeTrue(hasKustomize(temporary), "no kubectl with kustomize is here");
    Path made = temporary.resolve("made.yaml");
    assertThat(kustomize(folder, made, temporary)).as(() -> text(temporary)).isZero();
    assertThat(byId(Kustomization.build(folder))).isEqualTo(byId(Yaml.documents(made)));
  }

  private static boolean hasKustomize(Path temporary) throws InterruptedException {
    try {
      return new ProcessBuilder("kubectl", "kustomize", "--help")
              .redirectErrorStream(true)
              .redirectOutput(temporary.resolve("help").toFile())
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int kustomize(Path folder, Path made, Path temporary)
      throws IOException, InterruptedException {
    return new ProcessBuilder("kubectl", "kustomize", folder.toString())
        .redirectError(temporary.resolve("errors").toFile())
        .redirectOutput(made.toFile())
        .start()
        .waitFor();
  }

  private static String text(Path temporary) {
    try {
      return Files.readString(temporary.resolve("errors"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Map<String, JsonNode> byId(List<? extends JsonNode> objects) {
    return objects.stream()
        .collect(Collectors.toMap(Kustomization::id, Function.identity(), (a, b) -> a));
  }

  @Test
  void whatIsNotKnownOfKustomizeIsRefused(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("a.yaml"), "{apiVersion: v1, kind: A, metadata: {name: a}}");
    write(folder, "namePrefix: x");
    assertThatThrownBy(() -> Kustomization.build(folder)).hasMessageContaining("namePrefix");
    write(folder, "resources: [a.yaml]\npatches: [{path: p.yaml}]");
    Files.writeString(
        folder.resolve("p.yaml"), "{apiVersion: v1, kind: A, metadata: {name: other}, x: 1}");
    assertThatThrownBy(() -> Kustomization.build(folder)).hasMessageContaining("no object");
    Files.writeString(
        folder.resolve("p.yaml"), "{apiVersion: v1, kind: A, metadata: {name: a}, $patch: merge}");
    assertThatThrownBy(() -> Kustomization.build(folder)).hasMessageContaining("$patch");
  }

  @Test
  void aPatchIsLaidOverAndAnOperationDone(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        "{apiVersion: v1, kind: A, metadata: {name: a}, x: {y: 1, z: 2, list: [1, 2]}}");
    write(
        folder,
        "resources: [a.yaml]\nnamespace: n\n"
            + "patches: [{path: p.yaml}, {path: o.yaml, target: {kind: A}}]");
    Files.writeString(
        folder.resolve("p.yaml"),
        "{apiVersion: v1, kind: A, metadata: {name: a}, x: {y: null, list: [3]}}");
    Files.writeString(
        folder.resolve("o.yaml"),
        "[{op: add, path: /x/list/1, value: 4}, {op: replace, path: /x/z, value: 5}]");
    ObjectNode built = Kustomization.build(folder).get(0);
    assertThat(built.path("x")).isEqualTo(Yaml.MAPPER.readTree("{z: 5, list: [3, 4]}"));
    assertThat(built.at("/metadata/namespace").asText()).isEqualTo("n");
  }

  @Test
  void anImageIsNamedByItsDigestWhereverItIs(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        "{apiVersion: v1, kind: A, metadata: {name: a}, spec: {image: 'i:1', other: 'i:1'}}");
    Files.writeString(folder.resolve("fields.yaml"), "images: [{kind: A, path: spec/image}]");
    write(
        folder,
        "resources: [a.yaml]\nconfigurations: [fields.yaml]\n"
            + "images: [{name: i, newName: r/i, digest: 'sha256:0'}]\n"
            + "replacements: [{source: {kind: A, fieldPath: spec.image},"
            + " targets: [{select: {kind: A}, fieldPaths: [spec.other]}]}]");
    assertThat(Kustomization.build(folder).get(0).path("spec"))
        .isEqualTo(Yaml.MAPPER.readTree("{image: 'r/i@sha256:0', other: 'r/i@sha256:0'}"));
  }

  private static void write(Path folder, String lines) throws IOException {
    Files.writeString(folder.resolve("kustomization.yaml"), "kind: Kustomization\n" + lines);
  }
}
