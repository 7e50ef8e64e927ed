package dev.braid.connectors.record;

import static dev.braid.connectors.record.DecodedRecords.YES_NO;
import static dev.braid.connectors.record.DecodedRecords.avro;
import static dev.braid.connectors.record.DecodedRecords.decode;
import static dev.braid.connectors.record.DecodedRecords.form;
import static dev.braid.connectors.record.DecodedRecords.numbers;
import static dev.braid.connectors.record.DecodedRecords.refuses;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.record.DecodedRecords.Decoded;
import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.record.SampleDecoder.Outcome;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.table.data.GenericArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostileRecordsTest {

  static Stream<Arguments> hostileJson() {
    String deep = "[".repeat(100_000);
    String objects = "{\"a\":".repeat(100_000);
    return Stream.of(
        Arguments.of("empty", ""),
        Arguments.of("blank", " \n"),
        Arguments.of("no object", "[1, 2]"),
        Arguments.of("no object", "1"),
        Arguments.of("no object", "null"),
        Arguments.of("no object", "\"x\""),
        Arguments.of("array of objects", "[{\"x\":1,\"y\":1,\"label\":\"no\"}]"),
        Arguments.of("two objects", "{\"x\":1,\"y\":1,\"label\":\"no\"} {\"x\":1}"),
        Arguments.of("text behind", "{\"x\":1,\"y\":1,\"label\":\"no\"},"),
        Arguments.of("empty object", "{}"),
        Arguments.of("number missing", "{\"y\":1,\"label\":\"no\"}"),
        Arguments.of("number null", "{\"x\":null,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("text", "{\"x\":\"one\",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("empty text", "{\"x\":\"\",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("truth value", "{\"x\":true,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("array", "{\"x\":[1],\"y\":1,\"label\":\"no\"}"),
        Arguments.of("object", "{\"x\":{\"x\":1},\"y\":1,\"label\":\"no\"}"),
        Arguments.of("NaN", "{\"x\":NaN,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("NaN text", "{\"x\":\"NaN\",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("infinity", "{\"x\":-Infinity,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("infinite text", "{\"x\":\"Infinity\",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("beyond float", "{\"x\":1e39,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("beyond double", "{\"x\":1e999,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("beyond all", "{\"x\":1e999999999,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("beyond int", "{\"x\":1e99999999999,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("400 digits", "{\"x\":" + "9".repeat(400) + ",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("many digits", "{\"x\":" + "9".repeat(1 << 20) + ",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("hexadecimal", "{\"x\":\"0x1p3\",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("suffix", "{\"x\":\"1f\",\"y\":1,\"label\":\"no\"}"),
        Arguments.of("no value", "{\"x\":,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("no colon", "{\"x\" 1,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("single quotes", "{'x':1,'y':1,'label':'no'}"),
        Arguments.of("comment", "{/* */\"x\":1,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("twice", "{\"x\":1,\"x\":2,\"y\":1,\"label\":\"no\"}"),
        Arguments.of("label twice", "{\"label\":\"no\",\"label\":\"no\",\"x\":1,\"y\":1}"),
        Arguments.of("other twice", "{\"x\":1,\"y\":1,\"label\":\"no\",\"z\":1,\"z\":1}"),
        Arguments.of("brackets crossed", "{\"x\":1,\"y\":1,\"label\":\"no\",\"z\":[}]}"),
        Arguments.of("deep", "{\"x\":1,\"y\":1,\"label\":\"no\",\"z\":" + deep),
        Arguments.of(
            "deep and whole",
            "{\"x\":1,\"y\":1,\"label\":\"no\",\"z\":" + deep + "]".repeat(100_000) + "}"),
        Arguments.of("deep in a field", "{\"x\":" + deep + "]".repeat(100_000) + "}"),
        Arguments.of("deep objects", objects + "1" + "}".repeat(100_000)),
        Arguments.of("huge", "{\"x\":\"" + " ".repeat(16 << 20) + "1\",\"y\":1,\"label\":\"no\"}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void hostileJson(String kind, String value) {
    refuses(numbers(Missing.FAIL, "x", "y"), value);
  }

  @Test
  void ofAnObjectNoPartIsEnough() {
    RecordForm form = numbers(Missing.FAIL, "x", "y");
    String whole = "{\"z\":[\"}\\\"\"],\"x\":1,\"y\":1,\"label\":\"no\"}";
    assertThat(decode(form, whole).outcome()).isEqualTo(Outcome.TRAIN);
    assertThat(decode(form, "\ufeff" + whole + "\n").outcome()).isEqualTo(Outcome.TRAIN);
    for (int length = 0; length < whole.length(); length++) {
      refuses(form, whole.substring(0, length));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1]",
        "[1,2,3]",
        "[]",
        "1",
        "\"1,2\"",
        "{\"0\":1}",
        "[1,[2]]",
        "[1,\"x\"]",
        "[1,true]",
        "[1,1e39]",
        "[1,\"NaN\"]",
        "[1,{}]",
        "[1,",
        "[1 2]",
        "null",
        "[1,null]"
      })
  void hostileArrays(String array) {
    refuses(numbers(Missing.FAIL, "a[0]", "a[1]"), "{\"a\":" + array + ",\"label\":\"no\"}");
  }

  static Stream<Arguments> noUtf8() {
    String record = "{\"x\":1,\"y\":1,\"label\":\"no\",\"z\":\"?\"}";
    String label = "{\"x\":1,\"y\":1,\"label\":\"no?\"}";
    return Stream.of("\u00ff", "\u00c3(", "\u00c3", "\u00f8\u0088\u0080\u0080\u0080", "\u0080")
        .flatMap(bytes -> Stream.of(record.replace("?", bytes), label.replace("?", bytes)))
        .map(text -> Arguments.of((Object) text.getBytes(ISO_8859_1)));
  }

  @ParameterizedTest
  @MethodSource
  void noUtf8(byte[] value) {
    refuses(numbers(Missing.FAIL, "x", "y"), value);
  }

  @Test
  void otherEncodingsAreRefused() {
    refuses(numbers(Missing.FAIL, "x"), "{\"x\":1,\"label\":\"no\"}".getBytes(UTF_16LE), "UTF-8");
    refuses(form(Format.CSV), "1,2,a".getBytes(UTF_16LE), "UTF-8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        ",",
        "1",
        "1,2",
        "1,2,no,3",
        "x,2,no",
        "1,,no",
        "1,2,",
        "1,2,maybe",
        "1,2,no\n1,2,no",
        "1,2,\"no\"\n1,2,no",
        "\n1,2,no",
        "1,2,no\nx",
        "1,2,\"no",
        "1,2,\"no\"x",
        "1;2;no",
        "1,NaN,no",
        "1,1e39,no",
        "1,2,n\u0000o",
        "\"a\nb\",2,no"
      })
  void hostileCsv(String value) {
    RecordForm form =
        form(
            Format.CSV,
            List.of(TableColumn.numbers(0, "x"), TableColumn.numbers(1, "y")),
            Missing.FAIL,
            YES_NO);
    refuses(form, value);
  }

  @Test
  void csvMayHaveLinesInQuotes() {
    RecordForm form =
        form(
            Format.CSV,
            List.of(new TableColumn(0, "t", 0, 1, List.of("a\n\"b\",", "5\" disk"))),
            Missing.FAIL,
            YES_NO);
    assertThat(decode(form, "\"a\n\"\"b\"\",\",no").features()).containsExactly(1, 0);
    assertThat(decode(form, "5\" disk,no").features()).containsExactly(0, 1);
    refuses(form, "5\" disk,no\n5\" disk,no");
    byte[] broken = "\u00c3(,no".getBytes(ISO_8859_1);
    refuses(form, broken);
  }

  private static RecordForm avroForm() {
    return form(
        Format.AVRO,
        List.of(
            TableColumn.numbers(0, "x"),
            new TableColumn(1, "t", 0, 1, List.of("a", "b")),
            TableColumn.numbers(2, "a[0]"),
            TableColumn.numbers(3, "a[1]")),
        Missing.FAIL,
        YES_NO);
  }

  private static byte[] wholeAvro() {
    return avro(avroForm(), 1f, "a", new GenericArrayData(new Float[] {1f, 2f}), "no");
  }

  @Test
  void ofAnAvroRecordNoPartIsEnough_andNothingFollows() {
    RecordForm form = avroForm();
    byte[] whole = wholeAvro();
    RecordDecoder decoder = new RecordDecoder(form);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> decode(decoder, form, part))
          .isInstanceOf(InvalidRecordException.class);
      assertThat(decode(decoder, form, whole).features()).containsExactly(1, 1, 0, 1, 2);
    }
    refuses(form, Arrays.copyOf(whole, whole.length + 1), "1 bytes");
    for (float number : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      refuses(form, avro(form, number, "a", new GenericArrayData(new Float[] {1f, 2f}), "no"), "x");
      refuses(
          form, avro(form, 1f, "a", new GenericArrayData(new Float[] {1f, number}), "no"), "a[1]");
    }
    refuses(form, avro(form, null, "a", new GenericArrayData(new Float[] {1f, 2f}), "no"), "x");
    refuses(form, avro(form, 1f, "a", new GenericArrayData(new Float[] {1f}), "no"), "a: 1");
    refuses(form, avro(form, 1f, "a", new GenericArrayData(new Float[] {1f, 2f, 3f}), "no"), "a:");
    refuses(form, avro(form, 1f, "a", null, "no"), "a[0]");
    refuses(form, avro(form, 1f, "a", new GenericArrayData(new Float[] {1f, 2f}), null), "label");
  }

  /** Lengths of gigabytes would exhaust the heap of a worker. */
  @Test
  void avroLengthsAreChecked() {
    byte[] x = {2, 0, 0, 0, 0};
    byte[] huge = {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 15};
    byte[] least = new byte[10];
    Arrays.fill(least, (byte) 0xff);
    least[9] = 1;
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xff);
    byte[] text = {2, 2, 'a'};
    for (byte[] length : List.of(huge, least, endless, new byte[] {1})) {
      refuses(avroForm(), joined(x, new byte[] {2}, length), "t");
      refuses(avroForm(), joined(x, text, new byte[] {2}, length, new byte[40]), "a");
    }
    refuses(avroForm(), joined(x, new byte[] {4, 0}), "t");
    refuses(avroForm(), joined(x, new byte[] {2, 2, (byte) 0xff}), "t", "UTF-8");
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** A damaged record causes only this exception, and does not affect the next record. */
  @ParameterizedTest
  @EnumSource(Format.class)
  void damagedRecordsAreRefusedOrRead(Format format) {
    RecordForm form = form(format, avroForm().schema().columns(), Missing.FAIL, YES_NO);
    byte[] whole =
        switch (format) {
          case JSON -> "{\"x\":1,\"t\":\"a\",\"a\":[1,2],\"label\":\"no\"}".getBytes(UTF_8);
          case CSV -> "1,a,1,2,no".getBytes(UTF_8);
          case AVRO -> wholeAvro();
        };
    RecordDecoder decoder = new RecordDecoder(form);
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = whole.clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        Decoded decoded = decode(decoder, form, damaged);
        assertThat(decoded.targets()[0]).isIn(0f, 1f);
      } catch (InvalidRecordException e) {
        assertThat(e).message().isNotBlank();
      }
      if (i % 100 == 0) {
        assertThat(decode(decoder, form, whole).features()).containsExactly(1, 1, 0, 1, 2);
      }
    }
  }
}
