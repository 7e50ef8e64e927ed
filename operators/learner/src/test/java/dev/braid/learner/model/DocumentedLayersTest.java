package dev.braid.learner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.structure.RecurrentLayers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.junit.jupiter.api.Test;

/** Tests that Braid accepts the layers that docs/reference/models.md lists, and no others. */
class DocumentedLayersTest {

  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void theTableHasTheLayersThatAreTaken() throws Exception {
    List<String> taken =
        Stream.of(ModelCheck.LAYERS.stream(), RecurrentLayers.INNER.stream(), wrapper())
            .flatMap(layers -> layers)
            .map(Class::getSimpleName)
            .toList();
    assertThat(namesOfLayers()).containsExactlyInAnyOrderElementsOf(taken);
  }

  private static Stream<Class<? extends Layer>> wrapper() {
    return Stream.of(RecurrentLayers.WRAPPER);
  }

  /** Returns the names in the column "taken" of the row of layers. */
  private static List<String> namesOfLayers() throws IOException {
    String row =
        Files.readAllLines(Path.of("../../docs/reference/models.md")).stream()
            .filter(line -> line.startsWith("| layers |"))
            .findFirst()
            .orElseThrow();
    return NAME.matcher(row.split("\\|", -1)[2]).results().map(name -> name.group(1)).toList();
  }
}
