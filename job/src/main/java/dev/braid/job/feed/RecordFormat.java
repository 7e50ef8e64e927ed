package dev.braid.job.feed;

import dev.braid.job.console.UsageException;
import dev.braid.job.result.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats of a record's value. A number that is read again is the same float. */
enum RecordFormat {

  /** An object: the id, the features and the label. */
  JSON {
    @Override
    void write(FedSample sample, FeatureFields fields, StringBuilder out) {
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
      out.append('}');
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

  /** A row without the id: the features and then the label, or several. */
  CSV {
    @Override
    void write(FedSample sample, FeatureFields fields, StringBuilder out) {
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
    }

    private String cell(String text) {
      boolean needsQuotes =
          text.isEmpty() || !text.equals(text.strip()) || text.matches("(?s).*[\",;\r\n].*");
      return needsQuotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
  };

  /** Whole numbers below this bound are floats, each of which has a short text. */
  private static final float WHOLE = 1 << 24;

  /**
   * Returns the format of a name.
   *
   * @throws UsageException if there is none
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

  /** Returns the value of a sample's record, in UTF-8. */
  final byte[] write(FedSample sample, FeatureFields fields) {
    StringBuilder out = new StringBuilder();
    write(sample, fields, out);
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Appends a sample to a text. */
  abstract void write(FedSample sample, FeatureFields fields, StringBuilder out);

  /** Appends numbers with commas between. */
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
