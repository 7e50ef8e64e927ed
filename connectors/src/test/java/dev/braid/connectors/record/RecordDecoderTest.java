package dev.braid.connectors.record;

import static dev.braid.connectors.record.DecodedRecords.ALL;
import static dev.braid.connectors.record.DecodedRecords.YES_NO;
import static dev.braid.connectors.record.DecodedRecords.avro;
import static dev.braid.connectors.record.DecodedRecords.decode;
import static dev.braid.connectors.record.DecodedRecords.form;
import static dev.braid.connectors.record.DecodedRecords.numbers;
import static dev.braid.connectors.record.DecodedRecords.refuses;
import static dev.braid.connectors.record.DecodedRecords.regression;
import static dev.braid.connectors.record.DecodedRecords.weighted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.record.DecodedRecords.Decoded;
import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.record.SampleDecoder.Outcome;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.learner.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.table.data.GenericArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordDecoderTest {

  private static float[] expected(float[] features, String zip) {
    float[] all = features.clone();
    all[5 + ALL.get(3).bucket(zip)] = 1;
    return all;
  }

  @Test
  void jsonHasFieldsByName() {
    Decoded decoded =
        decode(
            form(Format.JSON),
            """
            {"px": [3, 51], "ignored": {"label": [1, {}]}, "label": "yes", "rooms": 2.5,
             "area": 80, "city": "Berlin", "zip": 10115, "sold": "2024-10-04T12:00Z", "more": "x"}
            """);
    assertThat(decoded.outcome()).isEqualTo(Outcome.TRAIN);
    assertThat(decoded.features())
        .containsExactly(
            expected(
                new float[] {2.5f, 0.5f, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.005f, 3, 0.2f},
                "10115"));
    assertThat(decoded.targets()[0]).isEqualTo(1);
  }

  @Test
  void csvHasFieldsInOrder() {
    for (String end : List.of("", "\n", "\r\n", "\n\n")) {
      Decoded decoded =
          decode(form(Format.CSV), "2.5, 80,\"Berlin\",10115,2024-10-04T12:00Z,3,51, yes " + end);
      assertThat(decoded.features())
          .containsExactly(
              expected(
                  new float[] {2.5f, 0.5f, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.005f, 3, 0.2f},
                  "10115"));
      assertThat(decoded.targets()[0]).isEqualTo(1);
    }
  }

  @Test
  void avroHasFieldsInOrder() {
    RecordForm form = form(Format.AVRO);
    Decoded decoded =
        decode(
            form,
            avro(
                form,
                2.5f,
                80f,
                "Berlin",
                "10115",
                "2024-10-04T12:00Z",
                new GenericArrayData(new Float[] {3f, 51f}),
                "yes"));
    assertThat(decoded.features())
        .containsExactly(
            expected(
                new float[] {2.5f, 0.5f, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.005f, 3, 0.2f},
                "10115"));
    assertThat(decoded.targets()[0]).isEqualTo(1);
  }

  @Test
  void aWeightIsReadInEachFormat() {
    RecordForm json = weighted(Format.JSON, "");
    assertThat(decode(json, "{\"a\":1,\"b\":2,\"label\":\"no\",\"w\":0.5}").weight())
        .isEqualTo(0.5f);
    assertThat(decode(json, "{\"a\":1,\"b\":2,\"label\":\"no\",\"w\":0}").weight()).isZero();
    assertThat(decode(weighted(Format.CSV, "id"), "1,2,yes,3.5,key").weight()).isEqualTo(3.5f);
    RecordForm avro = weighted(Format.AVRO, "id");
    assertThat(decode(avro, avro(avro, 1f, 2f, "yes", 7f, "key")).weight()).isEqualTo(7);
    assertThat(decode(numbers(Missing.FAIL, "a"), "{\"a\":1,\"label\":\"no\"}").weight())
        .as("unchanged without a weight")
        .isEqualTo(99);
  }

  /** This also applies if records without a number are omitted: the weight is required. */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "-1e-30", "null", "\"\"", "\"NaN\"", "1e99", "\"many\"", "[1]"})
  void aRecordWithoutAPossibleWeightIsInvalid(String weight) {
    refuses(
        weighted(Format.JSON, ""),
        "{\"a\":1,\"b\":2,\"label\":\"no\",\"w\":%s}".formatted(weight),
        "w");
    refuses(weighted(Format.JSON, ""), "{\"a\":1,\"b\":2,\"label\":\"no\"}", "w");
  }

  @Test
  void gapsAreFilled_andMissingTextsAreEmpty() {
    RecordForm json = form(Format.JSON);
    RecordForm csv = form(Format.CSV);
    RecordForm avro = form(Format.AVRO);
    float[] expected = expected(new float[] {1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0}, "");
    GenericArrayData pixels = new GenericArrayData(new Float[] {4f, 0f});
    List<Decoded> all =
        List.of(
            decode(
                json, "{'rooms':1,'sold':'2024-10-04','px':[4,0],'label':'no'}".replace('\'', '"')),
            decode(
                json,
                "{'rooms':1,'area':null,'city':null,'zip':null,'sold':'2024-10-04','px':[4,0],'label':'no'}"
                    .replace('\'', '"')),
            decode(csv, "1,,,,2024-10-04,4,0,no"),
            decode(avro, avro(avro, 1f, null, null, null, "2024-10-04", pixels, "no")));
    for (Decoded decoded : all) {
      assertThat(decoded.features()).containsExactly(expected);
      assertThat(decoded.targets()[0]).isZero();
    }
  }

  @Test
  void aTextThatIsNoCategoryIsNone() {
    RecordForm form =
        form(
            Format.JSON,
            List.of(new TableColumn(0, "city", 0, 1, List.of("Berlin", "7", "true"))),
            Missing.FAIL,
            YES_NO);
    RecordDecoder decoder = new RecordDecoder(form);
    String record = "{\"city\": %s, \"label\": \"no\"}";
    assertThat(decode(decoder, form, record.formatted("7").getBytes(UTF_8)).features())
        .containsExactly(0, 1, 0);
    assertThat(decode(decoder, form, record.formatted("\"Bonn\"").getBytes(UTF_8)).features())
        .containsExactly(0, 0, 0);
    assertThat(decode(decoder, form, record.formatted("true").getBytes(UTF_8)).features())
        .containsExactly(0, 0, 1);
    assertThat(decode(decoder, form, record.formatted("null").getBytes(UTF_8)).features())
        .containsExactly(0, 0, 0);
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aRecordWithAGapIsLeftOut(Format format) {
    RecordForm form = form(format, ALL, Missing.DROP, YES_NO);
    RecordForm strict = form(format);
    GenericArrayData pixels = new GenericArrayData(new Float[] {4f, null});
    byte[] record =
        switch (format) {
          case JSON ->
              "{\"rooms\":1,\"sold\":\"2024-10-04\",\"px\":[4,null],\"label\":\"no\"}"
                  .getBytes(UTF_8);
          case CSV -> "1,,,,2024-10-04,4,,no".getBytes(UTF_8);
          case AVRO -> avro(form, 1f, null, null, null, "2024-10-04", pixels, "no");
        };
    assertThat(decode(form, record).outcome()).isEqualTo(Outcome.LEFT_OUT);
    refuses(strict, record, "px[1]");
  }

  @Test
  void aMissingArrayIsAGap() {
    String record = "{\"label\": \"no\"}";
    assertThat(decode(numbers(Missing.DROP, "a[0]", "a[1]"), record).outcome())
        .isEqualTo(Outcome.LEFT_OUT);
    refuses(numbers(Missing.FAIL, "a[0]", "a[1]"), record, "a[0]");
  }

  /** A record that is omitted must be valid otherwise. */
  @Test
  void aGapHidesNoMistake() {
    RecordForm form = numbers(Missing.DROP, "a", "b");
    refuses(form, "{\"b\": \"x\", \"label\": \"no\"}", "b", "'x'");
    refuses(form, "{\"b\": 1, \"label\": \"maybe\"}", "label", "'maybe'", "no, yes");
    refuses(form, "{\"b\": 1}", "label");
  }

  @Test
  void aTombstoneIsLeftOut() {
    RecordForm form = form(Format.JSON);
    assertThat(decode(form, (byte[]) null).outcome()).isEqualTo(Outcome.LEFT_OUT);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "1.0, 1",
    "'\"1\"', 1",
    "'\"1.00\"', 1",
    "-3, 2",
    "-3.0, 2",
    "true, 3",
    "false, 4"
  })
  void labelsAreClasses(String label, int expected) {
    RecordForm form =
        form(
            Format.JSON,
            List.of(TableColumn.numbers(0, "x")),
            Missing.FAIL,
            List.of("0", "1", "-3", "true", "false"));
    assertThat(decode(form, "{\"x\": 0, \"label\": " + label + "}").targets()[0])
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2", "1.5", "1.01", "null", "\"\"", "\"yes\"", "[1]", "{}", "1e999999999"})
  void otherLabelsAreRefused(String label) {
    RecordForm form =
        form(
            Format.JSON,
            List.of(TableColumn.numbers(0, "x")),
            Missing.FAIL,
            List.of("0", "1", "no"));
    refuses(form, "{\"x\": 0, \"label\": " + label + "}", "label", "0, 1, no");
    refuses(form, "{\"x\": 0, \"label\": \"no.0\"}", "label");
  }

  @Test
  void aRegressionHasValues() {
    RecordForm json = regression(Format.JSON, 0, "");
    assertThat(json.shape()).isEqualTo(new Shape(1, 1, 1, 2, Shape.Kind.VALUES));
    assertThat(decode(json, "{\"rent\": 3, \"price\": 20, \"x\": 1}").targets()).startsWith(2, 3);
    assertThat(decode(regression(Format.CSV, 0, ""), "1,20,3").targets()).startsWith(2, 3);
    RecordForm avro = regression(Format.AVRO, 0, "");
    assertThat(decode(avro, avro(avro, 1f, 20f, 3f)).targets()).startsWith(2, 3);
    refuses(json, "{\"price\": 20, \"x\": 1}", "rent");
    refuses(json, "{\"price\": \"dear\", \"rent\": 3, \"x\": 1}", "price", "'dear'");
  }

  // ---- holdout

  @Test
  void theKeyDecidesWhatIsHeldOut() {
    RecordForm byRecord = regression(Format.JSON, 0.25, "");
    RecordForm byField = regression(Format.JSON, 0.25, "id");
    RecordForm byValue = regression(Format.JSON, 0.25, "x");
    RecordDecoder ofRecord = new RecordDecoder(byRecord);
    RecordDecoder ofField = new RecordDecoder(byField);
    RecordDecoder ofCsv = new RecordDecoder(regression(Format.CSV, 0.25, "id"));
    RecordDecoder ofAvro = new RecordDecoder(regression(Format.AVRO, 0.25, "x"));
    RecordDecoder ofValue = new RecordDecoder(byValue);
    int held = 0;
    for (int i = 0; i < 4000; i++) {
      String id = Integer.toString(i);
      byte[] json =
          "{\"id\":%d,\"x\":%d.0,\"price\":%d,\"rent\":0}".formatted(i, i, i % 7).getBytes(UTF_8);
      Outcome outcome = outcome(ofRecord, id.getBytes(UTF_8), json);
      assertThat(outcome(ofField, null, json)).isEqualTo(outcome);
      assertThat(outcome(ofField, "any".getBytes(UTF_8), json)).isEqualTo(outcome);
      assertThat(outcome(ofCsv, null, (i + ",0,0," + i).getBytes(UTF_8))).isEqualTo(outcome);
      assertThat(outcome(ofAvro, null, avro(regression(Format.AVRO, 0.25, "x"), (float) i, 1f, 1f)))
          .isEqualTo(outcome(ofValue, null, json));
      held += outcome == Outcome.HELD_OUT ? 1 : 0;
      assertThat(outcome(ofRecord, null, json)).isEqualTo(outcome(ofRecord, json, json));
    }
    assertThat(held).isBetween(900, 1100);
  }

  private static Outcome outcome(RecordDecoder decoder, byte[] key, byte[] value) {
    return decoder.decode(key, value, new float[1], 0, new float[2], 0, new float[1], 0);
  }

  /** Other versions of Braid must hold out the same samples. */
  @Test
  void hashesStayAsTheyAre() {
    RecordDecoder decoder = new RecordDecoder(regression(Format.CSV, 0.5, ""));
    String held =
        IntStream.range(0, 32)
            .mapToObj(i -> outcome(decoder, ("key" + i).getBytes(UTF_8), "1,2,3".getBytes(UTF_8)))
            .map(outcome -> outcome == Outcome.HELD_OUT ? "1" : "0")
            .collect(Collectors.joining());
    assertThat(held).isEqualTo("00111000001101000001111010100010");
    TableColumn column = TableColumn.hashed(0, "zip", 1000);
    assertThat(Stream.of("", "10115", "Köln").map(column::bucket)).containsExactly(317, 361, 383);
  }

  @Test
  void hashesSpread() {
    TableColumn column = TableColumn.hashed(0, "zip", 64);
    int[] counts = new int[64];
    IntStream.range(0, 64_000).forEach(i -> counts[column.bucket(Integer.toString(i))]++);
    assertThat(Arrays.stream(counts).boxed())
        .allSatisfy(count -> assertThat(count).isBetween(800, 1200));
  }

  @Test
  void aKeyHasToBeThere() {
    refuses(regression(Format.JSON, 0.5, "id"), "{\"x\":1,\"price\":1,\"rent\":1}", "id");
    assertThat(
            decode(regression(Format.JSON, 0, "id"), "{\"x\":1,\"price\":1,\"rent\":1}").outcome())
        .isEqualTo(Outcome.TRAIN);
  }
}
