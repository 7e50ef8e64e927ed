package dev.braid.connectors.record;

import static dev.braid.connectors.record.DecodedRecords.YES_NO;
import static dev.braid.connectors.record.DecodedRecords.decode;
import static dev.braid.connectors.record.DecodedRecords.form;
import static dev.braid.connectors.record.DecodedRecords.numbers;
import static dev.braid.connectors.record.DecodedRecords.refuses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFieldsTest {

  private static RecordForm array(int width, double fill) {
    return form(
        Format.AVRO,
        IntStream.range(0, width)
            .mapToObj(i -> new TableColumn(i, "a[" + i + "]", 0, 1, List.of(), false, fill))
            .toList(),
        Missing.FAIL,
        YES_NO);
  }

  /** Returns an array in blocks, with or without the size of each in bytes. */
  private static byte[] blocks(boolean haveSizes, Float[]... blocks) {
    ByteBuffer out = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN).put((byte) 2);
    for (Float[] block : blocks) {
      long numbers = Arrays.stream(block).filter(it -> it != null).count();
      out.put((byte) (haveSizes ? 2 * block.length - 1 : 2 * block.length));
      if (haveSizes) {
        out.put((byte) (2 * (block.length + Float.BYTES * numbers)));
      }
      for (Float number : block) {
        if (number == null) {
          out.put((byte) 0);
        } else {
          out.put((byte) 2).putFloat(number);
        }
      }
    }
    out.put(new byte[] {0, 2, 4, 'n', 'o'});
    return Arrays.copyOf(out.array(), out.position());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAvroArrayMayHaveBlocksAndNulls(boolean haveSizes) {
    RecordForm form = array(5, 9);
    Float[] all = {1f, 2f, 3f, 4f, 5f};
    assertThat(decode(form, blocks(haveSizes, all)).features()).containsExactly(1, 2, 3, 4, 5);
    assertThat(decode(form, blocks(haveSizes, new Float[] {1f, 2f}, new Float[] {3f, 4f, 5f})))
        .extracting(DecodedRecords.Decoded::features)
        .isEqualTo(new float[] {1, 2, 3, 4, 5});
    // The block of nulls has the number of bytes that the first block lacks.
    assertThat(decode(form, blocks(haveSizes, new Float[] {null, 2f}, new Float[3])).features())
        .containsExactly(9, 2, 9, 9, 9);
    assertThat(decode(form, blocks(haveSizes, new Float[4], new Float[] {7f})).features())
        .containsExactly(9, 9, 9, 9, 7);
    refuses(form, blocks(haveSizes, new Float[] {1f, 2f}, new Float[] {3f}), "3 numbers");
    refuses(form, blocks(haveSizes, all, all), "more than 5");
    refuses(form, blocks(haveSizes), "0 numbers");
  }

  @Test
  void aNumberThatIsNoneOfAvrosIsNotTakenForAGap() {
    refuses(array(1, 9), blocks(false, new Float[] {RecordFields.NONE}), "a[0]", "NaN");
  }

  /** Returns numbers as texts of all lengths, some with more digits than a double. */
  private static Stream<String> texts() {
    Random random = new Random(5);
    return IntStream.range(0, 50_000)
        .mapToObj(
            i -> {
              double number = random.nextGaussian() * Math.pow(10, random.nextInt(24) - 12);
              return switch (i % 5) {
                case 0 -> Double.toString(number);
                case 1 -> Float.toString((float) number);
                case 2 -> String.format(Locale.ROOT, "%." + random.nextInt(20) + "f", number);
                case 3 -> Long.toString(random.nextLong() >> random.nextInt(64));
                default -> " " + Float.toString(random.nextInt(2_000) / 8f - 100) + " ";
              };
            });
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"CSV", "JSON"})
  void numbersAreThoseOfJava(Format format) {
    RecordForm form = form(format, List.of(TableColumn.numbers(0, "x")), Missing.FAIL, YES_NO);
    RecordDecoder decoder = new RecordDecoder(form);
    String record = format == Format.CSV ? "%s,no" : "{\"x\":%s,\"label\":\"no\"}";
    texts()
        .forEach(
            text -> {
              float read =
                  decode(decoder, form, record.formatted(text).getBytes(UTF_8)).features()[0];
              assertThat(Float.floatToRawIntBits(read))
                  .as(text)
                  .isEqualTo(Float.floatToRawIntBits((float) Double.parseDouble(text)));
            });
  }

  @Test
  void zerosKeepTheirSign() {
    RecordForm csv = form(Format.CSV, List.of(TableColumn.numbers(0, "x")), Missing.FAIL, YES_NO);
    for (String zero : List.of("-0", "-0.0", "-0.00")) {
      assertThat(decode(csv, zero + ",no").features()).containsExactly(-0f);
      assertThat(
              decode(
                      numbers(Missing.FAIL, "x", "a[0]"),
                      "{\"x\":%s,\"a\":[%s],\"label\":\"no\"}".formatted(zero, zero))
                  .features())
          .containsExactly(-0f, -0f);
    }
  }

  @Test
  void aRowMayEndWithAComma() {
    RecordForm csv = form(Format.CSV, List.of(TableColumn.numbers(0, "x")), Missing.FAIL, YES_NO);
    assertThat(decode(csv, "5,no,").features()).containsExactly(5);
    assertThat(decode(csv, "5,no, \r\n").features()).containsExactly(5);
    refuses(csv, "5,no,,", "4 cells");
    refuses(csv, "5,no,x", "3 cells");
    refuses(csv, "5", "1 cells");
  }

  @Test
  void textsOfJsonAreWhateverIsThere() {
    RecordForm form =
        form(
            Format.JSON,
            List.of(new TableColumn(0, "t", 0, 1, List.of("1.50", "[1,2]", "{\"a\":1}"))),
            Missing.FAIL,
            YES_NO);
    String record = "{\"t\":%s,\"label\":\"no\"}";
    assertThat(decode(form, record.formatted("1.50")).features()).containsExactly(1, 0, 0);
    assertThat(decode(form, record.formatted("[1, 2]")).features()).containsExactly(0, 1, 0);
    assertThat(decode(form, record.formatted("{\"a\": 1}")).features()).containsExactly(0, 0, 1);
  }

  @Test
  void numbersOfAnArrayMayBeInQuotes() {
    RecordForm form = numbers(Missing.FAIL, "a[0]", "a[1]");
    assertThat(decode(form, "{\"a\":[\"1.5\",\" 2 \"],\"label\":\"no\"}").features())
        .containsExactly(1.5f, 2);
    refuses(form, "{\"a\":[\"0x1p3\",2],\"label\":\"no\"}", "a[0]", "'0x1p3'");
  }
}
