package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableOptions;
import dev.braid.connectors.text.TableSchema;
import dev.braid.job.TrainedTable;
import dev.braid.learner.Shape;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files {@code model.json} that were edited, or that are something else. */
class ModelCardTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> VALUES =
      List.of("null", "\"x\"", "\"NaN\"", "-1", "0", "1.5", "1e999", "true", "[]", "[null]", "{}");

  @TempDir private Path folder;

  private Path model;
  private Path file;

  private void save() throws IOException {
    TableOptions options =
        new TableOptions("", List.of(), List.of("colour"), true).withMissing(Missing.MEAN);
    List<String> rows = new ArrayList<>(List.of("colour,size,kind"));
    for (int i = 0; i < 4; i++) {
      rows.addAll(List.of("red,1,left", "blue,2,right", "red,,left"));
    }
    model = Path.of(TrainedTable.save(folder, options, new float[0], rows));
    file = folder.resolve("model.json");
  }

  /** A model trained on a topic has such columns, and predicts the rows of tables. */
  @Test
  void hashedTextsKeepTheirBuckets() throws IOException {
    List<TableColumn> columns = List.of(TableColumn.hashed(0, "zip", 8));
    TableSchema schema = TableSchema.ofClasses(true, 2, 1, "kind", columns, Missing.FAIL);
    DataLocation data =
        DataLocation.of("a.csv").withClassNames(List.of("no", "yes")).withTable(schema);
    ModelCard card = ModelCard.of("small", data, Shape.rows(8, 2));
    Files.writeString(folder.resolve(ModelCard.FILE), card.toJson());
    assertThat(ModelCard.beside(folder.resolve("model.zip")).schema()).contains(schema);
    assertThat(card.toJson()).contains("\"buckets\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "null", "[]", "7", "\"text\"", "{", "{}", "[[", "PK\u0003\u0004"})
  void whatIsNoCardIsRefused(String text) throws IOException {
    save();
    Files.writeString(file, text);
    assertRefused();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\"|\"versio\"|versio",
        "\"height\" : 1|\"height\" : \"1\"|input.height",
        "\"height\" : 1|\"height\" : 1.0|input.height",
        "\"header\" : true|\"header\" : null|table.header",
        "\"name\" : \"size\"|\"name\" : null|table.features[1].name",
        "\"name\" : \"size\"|\"nam\" : \"size\"|table.features[1].nam",
        "\"divisor\" : 1|\"divisor\" : 1, \"divisor\" : 255|line",
        "\"mean\" : |\"mean\" : NaN, \"deviation\" :|line",
        "\"divisor\" : 1|\"divisor\" : 255|divisor",
        "\"divisor\" : 1|\"divisor\" : 2|divisor",
        "\"height\" : 1|\"height\" : 3|input",
        "\"label\" : 3|\"label\" : 0|column 0",
        "\"label\" : 3|\"label\" : 4|column 4",
        "\"label\" : 3|\"label\" : 1|once"
      })
  void theFieldOrLineIsNamed(String text, String instead, String named) throws IOException {
    save();
    String card = Files.readString(file);
    assertThat(card).contains(text);
    Files.writeString(file, card.replace(text, instead));
    assertThatThrownBy(() -> ModelCard.beside(model))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(named);
  }

  /** With only one of the two, numbers would be partly scaled. */
  @ParameterizedTest
  @ValueSource(strings = {"mean", "deviation"})
  void aMeanHasADeviation(String removed) throws IOException {
    save();
    JsonNode card = JSON.readTree(file.toFile());
    ((ObjectNode) card.at("/table/features/1")).remove(removed);
    Files.writeString(file, JSON.writeValueAsString(card));
    assertThatThrownBy(() -> ModelCard.beside(model))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("column 2");
  }

  /** Each field in turn, and each element of a list, is removed or has another value. */
  @Test
  void anyFieldMayBeAnything() throws IOException {
    save();
    JsonNode card = JSON.readTree(file.toFile());
    int edits = 0;
    for (String pointer : pointers("", card)) {
      for (Optional<String> value : values()) {
        JsonNode edited = card.deepCopy();
        set(edited, pointer, value);
        Files.writeString(file, JSON.writeValueAsString(edited));
        Throwable thrown = catchThrowable(() -> ModelCard.beside(model).expected());
        if (thrown != null) {
          assertRefused();
        }
        edits++;
      }
    }
    assertThat(edits).isGreaterThan(200);
  }

  private void assertRefused() {
    assertThatThrownBy(() -> ModelCard.beside(model))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageStartingWith(file + ": ")
        .message()
        .doesNotContainPattern("dev\\.braid|java\\.|fasterxml|Exception|creator|deserialize")
        .hasLineCount(1);
  }

  private static List<Optional<String>> values() {
    List<Optional<String>> all = new ArrayList<>(List.of(Optional.empty()));
    VALUES.forEach(value -> all.add(Optional.of(value)));
    return all;
  }

  private static List<String> pointers(String at, JsonNode node) {
    List<String> all = new ArrayList<>();
    if (node.isObject()) {
      node.fieldNames().forEachRemaining(name -> add(all, at + "/" + name, node.get(name)));
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        add(all, at + "/" + i, node.get(i));
      }
    }
    return all;
  }

  private static void add(List<String> all, String pointer, JsonNode node) {
    all.add(pointer);
    all.addAll(pointers(pointer, node));
  }

  private static void set(JsonNode root, String pointer, Optional<String> value)
      throws IOException {
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = root.at(pointer.substring(0, slash));
    String last = pointer.substring(slash + 1);
    if (parent instanceof ObjectNode object) {
      object.remove(last);
      if (value.isPresent()) {
        object.set(last, JSON.readTree(value.get()));
      }
    } else if (parent instanceof ArrayNode array) {
      array.remove(Integer.parseInt(last));
      if (value.isPresent()) {
        array.insert(Integer.parseInt(last), JSON.readTree(value.get()));
      }
    }
  }
}
