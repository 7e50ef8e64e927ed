package dev.braid.connectors.record;

import static dev.braid.connectors.record.DecodedRecords.ALL;
import static dev.braid.connectors.record.DecodedRecords.YES_NO;
import static dev.braid.connectors.record.DecodedRecords.form;
import static dev.braid.connectors.record.DecodedRecords.numbers;
import static dev.braid.connectors.record.DecodedRecords.regression;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecordFormTest {

  @Test
  void fingerprintsDifferWhereSamplesDo() {
    List<TableColumn> x = List.of(TableColumn.numbers(0, "x"));
    List<RecordForm> forms = new ArrayList<>();
    forms.add(form(Format.JSON));
    forms.add(form(Format.CSV));
    forms.add(form(Format.JSON, ALL, Missing.DROP, YES_NO));
    forms.add(form(Format.JSON, ALL, Missing.FAIL, List.of("yes", "no")));
    forms.add(form(Format.JSON, x, Missing.FAIL, List.of("a", "b, c")));
    forms.add(form(Format.JSON, x, Missing.FAIL, List.of("a, b", "c")));
    forms.add(form(Format.JSON, List.of(TableColumn.hashed(0, "x", 2)), Missing.FAIL, YES_NO));
    forms.add(form(Format.JSON, List.of(TableColumn.hashed(0, "x", 3)), Missing.FAIL, YES_NO));
    forms.add(
        form(Format.JSON, List.of(new TableColumn(0, "x", 1, 2, List.of())), Missing.FAIL, YES_NO));
    forms.add(regression(Format.JSON, 0, ""));
    forms.add(regression(Format.JSON, 0.1, ""));
    forms.add(regression(Format.JSON, 0.1, "id"));
    assertThat(forms.stream().map(RecordForm::fingerprint)).doesNotHaveDuplicates();
    assertThat(form(Format.JSON).fingerprint()).isEqualTo(form(Format.JSON).fingerprint());
  }

  @Test
  void aFormTravels() throws IOException {
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      out.writeObject(form(Format.AVRO));
    }
  }

  static Stream<Arguments> impossible() {
    TableColumn x = TableColumn.numbers(0, "x");
    return Stream.of(
        Arguments.of(Format.JSON, List.of(x, TableColumn.numbers(1, "x")), "twice"),
        Arguments.of(Format.JSON, List.of(TableColumn.numbers(0, "label")), "twice"),
        Arguments.of(Format.JSON, List.of(TableColumn.numbers(0, " ")), "name"),
        Arguments.of(Format.JSON, List.of(TableColumn.numbers(0, "x[1]")), "[0]"),
        Arguments.of(
            Format.JSON,
            List.of(TableColumn.numbers(0, "x[0]"), TableColumn.numbers(1, "x[2]")),
            "[0]"),
        Arguments.of(Format.JSON, List.of(TableColumn.hashed(0, "x[0]", 4)), "numbers"),
        Arguments.of(Format.AVRO, List.of(TableColumn.numbers(0, "größe")), "Avro"));
  }

  @ParameterizedTest
  @MethodSource
  void impossible(Format format, List<TableColumn> columns, String word) {
    assertThatThrownBy(() -> form(format, columns, Missing.FAIL, YES_NO))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(word);
  }

  @Test
  void impossibleForms() {
    List<TableColumn> x = List.of(TableColumn.numbers(0, "x"));
    for (Missing fills : List.of(Missing.MEAN, Missing.MEDIAN)) {
      assertThatThrownBy(() -> form(Format.JSON, x, fills, YES_NO))
          .isInstanceOf(InvalidDataException.class);
    }
    for (List<String> classes :
        List.of(List.<String>of(), List.of("a"), List.of("a", "a"), List.of("a", ""))) {
      assertThatThrownBy(() -> form(Format.JSON, x, Missing.FAIL, classes))
          .isInstanceOf(InvalidDataException.class);
    }
    for (double holdout : new double[] {-0.1, 1, Double.NaN}) {
      assertThatThrownBy(() -> regression(Format.JSON, holdout, ""))
          .isInstanceOf(InvalidDataException.class);
    }
    assertThatThrownBy(
            () ->
                new RecordForm(
                    Format.JSON,
                    numbers(Missing.FAIL, "a[0]", "a[1]").schema(),
                    false,
                    YES_NO,
                    "a",
                    "",
                    0))
        .isInstanceOf(InvalidDataException.class);
  }
}
