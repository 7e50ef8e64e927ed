package dev.braid.connectors.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelVersionTest {

  private static final ModelVersion VERSION =
      RegistryContract.version(3, RegistryContract.contents(1, 10));

  @Test
  void isReadAsItWasWritten() {
    assertThat(ModelVersion.parse("", VERSION.toJson())).isEqualTo(VERSION);
    assertThat(VERSION.offsetCount()).isEqualTo(100);
    assertThat(VERSION.bytes()).isEqualTo(12);
  }

  @Test
  void aFigureThatIsNoNumberIsKept() {
    String json = VERSION.toJson().replace("\"loss\" : 0.5", "\"loss\" : \"NaN\"");
    ModelVersion version = ModelVersion.parse("", json);
    assertThat(version.figures()).isEqualTo(Map.of("loss", Double.NaN));
    assertThat(ModelVersion.parse("", version.toJson())).isEqualTo(version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{}", "7", "{\"format\":1}", "\u0000"})
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> ModelVersion.parse("", text)).isInstanceOf(InvalidDataException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "number" : 3    | "number" : 0
          "number" : 3    | "number" : null
          "number" : 3    | "number" : 3, "number" : 4
          "number" : 3    | "number" : 3, "other" : 4
          "format" : 1    | "format" : -1
          "format" : 1    | "format" : 2
          "round" : 30    | "round" : -30
          "start" : 5     | "start" : -5
          "start" : 5     | "start" : 106
          "bytes" : 10    | "bytes" : -1
          "bytes" : 10    | "bytes" : 2147483647
          "bytes" : 10    | "bytes" : 99999999999999999999
          "sha256" : "    | "sha256" : "x
          "model.zip"     | "../model.zip"
          "model.zip"     | "/etc/passwd"
          "model.zip"     | ""
          "loss" : 0.5    | "loss" : null
          "run" : "run"   | "run" : null
          "partition" : 0 | "partition" : "x"
          """)
  void whatNoVersionHasIsRefused(String there, String instead) {
    assertThat(VERSION.toJson()).contains(there);
    String json = VERSION.toJson().replace(there, instead);
    assertThatThrownBy(() -> ModelVersion.parse("", json)).isInstanceOf(InvalidDataException.class);
  }

  @Test
  void theSameWeightsAfterTheSameRoundAreTheSameModel() {
    String json = VERSION.toJson();
    assertThat(VERSION.isSameModel(parse(json.replace("\"run\" : \"run\"", "\"run\" : \"2\""))))
        .isTrue();
    assertThat(VERSION.isSameModel(parse(json.replace("\"round\" : 30", "\"round\" : 31"))))
        .isFalse();
    assertThat(VERSION.isSameModel(parse(json.replace("\"digest\" : \"5", "\"digest\" : \"6"))))
        .isFalse();
  }

  private static ModelVersion parse(String json) {
    return ModelVersion.parse("", json);
  }
}
