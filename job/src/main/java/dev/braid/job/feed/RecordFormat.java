package dev.braid.job.feed;

import dev.braid.job.console.UsageException;
import dev.braid.run.result.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats of a record's value. Numbers are written exactly: reading one returns the same float. */
enum RecordFormat {

  /** An object in UTF-8: the id, the features and the label. */
  JSON {
    @Override
    byte[] write(FedSample sample, FeatureFields fields) {
      StringBuilder out = new StringBuilder();
      out.append("{\"id\":").append(sample.id());
      float[] features = sample.features();
      if (fields.isArray()) {
        out.append(",\"").append(fields.name()).append("\":");
        array(features, out);
      } else {
        for (int i = 0; i < features.length; i++) {
          out.append(",\"").append(fields.name()).append(i + 1).append("\":");
          number(features[i], out);
        }
      }
      out.append(",\"label\":");
      label(sample.label(), out);
      return out.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    private void label(FedSample.Label label, StringBuilder out) {
      if (label instanceof FedSample.NumberedClass known) {
        out.append(known.number());
      } else if (label instanceof FedSample.NamedClass known) {
        out.append(Json.write(known.name()));
      } else if (label instanceof FedSample.Values known && known.values().length > 1) {
        array(known.values(), out);
      } else {
        number(((FedSample.Values) label).values()[0], out);
      }
    }

    private void array(float[] numbers, StringBuilder out) {
      out.append('[');
      row(numbers, out);
      out.append(']');
    }
  },

  /** A row in UTF-8, without the id: the features, followed by one or more labels. */
  CSV {
    @Override
    byte[] write(FedSample sample, FeatureFields fields) {
      StringBuilder out = new StringBuilder();
      row(sample.features(), out);
      out.append(',');
      FedSample.Label label = sample.label();
      if (label instanceof FedSample.NumberedClass known) {
        out.append(known.number());
      } else if (label instanceof FedSample.NamedClass known) {
        out.append(cell(known.name()));
      } else {
        row(((FedSample.Values) label).values(), out);
      }
      return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private String cell(String text) {
      boolean needsQuotes =
          text.isEmpty() || !text.equals(text.strip()) || text.matches("(?s).*[\",;\r\n].*");
      return needsQuotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
  },

  /**
   * Avro's binary encoding without a header and without the id: the features, as one array or each
   * in its own field, followed by one or more labels. The type of a field is a union of null and
   * float, string or an array of unions of null and float.
   */
  AVRO {
    /** Index of the second type in a union, as a zigzag number. */
    private static final byte SECOND = 2;

    private static final int MOST_BYTES_OF_COUNT = 5;

    @Override
    byte[] write(FedSample sample, FeatureFields fields) {
      float[] features = sample.features();
      ByteBuffer out = ByteBuffer.allocate(mostBytes(sample)).order(ByteOrder.LITTLE_ENDIAN);
      if (fields.isArray()) {
        out.put(SECOND);
        count(features.length, out);
        numbers(features, out);
        out.put((byte) 0);
      } else {
        numbers(features, out);
      }
      if (sample.label() instanceof FedSample.Values known) {
        numbers(known.values(), out);
      } else {
        text(className(sample.label()), out);
      }
      return Arrays.copyOf(out.array(), out.position());
    }

    private int mostBytes(FedSample sample) {
      int values = sample.label() instanceof FedSample.Values known ? known.values().length : 0;
      int letters = values > 0 ? 0 : className(sample.label()).length();
      // A char takes at most three bytes, and a surrogate pair takes four.
      return (1 + Float.BYTES) * (sample.features().length + values)
          + 2 * (1 + MOST_BYTES_OF_COUNT)
          + 3 * letters;
    }

    private String className(FedSample.Label label) {
      return label instanceof FedSample.NumberedClass known
          ? Long.toString(known.number())
          : ((FedSample.NamedClass) label).name();
    }

    private void numbers(float[] numbers, ByteBuffer out) {
      for (float number : numbers) {
        out.put(SECOND).putFloat(number);
      }
    }

    private void text(String text, ByteBuffer out) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      out.put(SECOND);
      count(bytes.length, out);
      out.put(bytes);
    }

    /** Appends a number as Avro does: zigzag, seven bits a byte, the lowest first. */
    private void count(int count, ByteBuffer out) {
      long rest = 2L * count;
      while (rest > 0x7f) {
        out.put((byte) ((rest & 0x7f) | 0x80));
        rest >>>= 7;
      }
      out.put((byte) rest);
    }
  };

  /** Bound below which whole numbers are exact floats, which are written without a fraction. */
  private static final float WHOLE = 1 << 24;

  /**
   * Returns the format with a name.
   *
   * @throws UsageException if the name is unknown
   */
  static RecordFormat named(String option, String name) {
    return Arrays.stream(values())
        .filter(format -> format.title().equals(name))
        .findFirst()
        .orElseThrow(() -> UsageException.unknownName(option, name, titles()));
  }

  private static String titles() {
    return Arrays.stream(values()).map(RecordFormat::title).collect(Collectors.joining(", "));
  }

  private String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the value of a sample's record. */
  abstract byte[] write(FedSample sample, FeatureFields fields);

  /** Appends numbers separated by commas. */
  static void row(float[] numbers, StringBuilder out) {
    for (int i = 0; i < numbers.length; i++) {
      if (i > 0) {
        out.append(',');
      }
      number(numbers[i], out);
    }
  }

  /**
   * Appends a number: whole numbers without a fraction, except minus zero, whose sign readers drop.
   */
  static void number(float value, StringBuilder out) {
    boolean isShort =
        Math.abs(value) < WHOLE
            && value == (int) value
            && Float.floatToRawIntBits(value) != Integer.MIN_VALUE;
    if (isShort) {
      out.append((int) value);
    } else {
      out.append(value);
    }
  }
}
