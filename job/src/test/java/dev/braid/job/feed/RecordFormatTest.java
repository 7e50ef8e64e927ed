package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.record.RecordDecoder;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.record.SampleDecoder;
import dev.braid.job.config.DataSettings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordFormatTest {

  private static String text(
      RecordFormat format, float[] features, FedSample.Label label, FeatureFields fields) {
    return new String(
        format.write(new FedSample(17, features, label), fields), StandardCharsets.UTF_8);
  }

  @Test
  void jsonHasTheIdTheFeaturesAndTheLabel() {
    float[] features = {0, 0.5f, 255, -3};
    assertThat(
            text(
                RecordFormat.JSON,
                features,
                new FedSample.NumberedClass(3),
                FeatureFields.array("features")))
        .isEqualTo("{\"id\":17,\"features\":[0,0.5,255,-3],\"label\":3}");
    assertThat(
            text(
                RecordFormat.JSON,
                features,
                new FedSample.NamedClass("a \"b\""),
                FeatureFields.numbered()))
        .isEqualTo(
            "{\"id\":17,\"x1\":0,\"x2\":0.5,\"x3\":255,\"x4\":-3,\"label\":\"a \\\"b\\\"\"}");
    assertThat(
            text(
                RecordFormat.JSON,
                new float[] {1},
                new FedSample.Values(new float[] {2.5f}),
                FeatureFields.array("x")))
        .isEqualTo("{\"id\":17,\"x\":[1],\"label\":2.5}");
    assertThat(
            text(
                RecordFormat.JSON,
                new float[] {1},
                new FedSample.Values(new float[] {2.5f, 4}),
                FeatureFields.array("x")))
        .endsWith("\"label\":[2.5,4]}");
  }

  @Test
  void csvHasTheFeaturesAndThenTheLabel() {
    float[] features = {0, 1.5f};
    FeatureFields any = FeatureFields.numbered();
    assertThat(text(RecordFormat.CSV, features, new FedSample.NumberedClass(1), any))
        .isEqualTo("0,1.5,1");
    assertThat(text(RecordFormat.CSV, features, new FedSample.NamedClass("red"), any))
        .isEqualTo("0,1.5,red");
    assertThat(text(RecordFormat.CSV, features, new FedSample.NamedClass("a,\"b\""), any))
        .isEqualTo("0,1.5,\"a,\"\"b\"\"\"");
    assertThat(text(RecordFormat.CSV, features, new FedSample.Values(new float[] {2, 0.25f}), any))
        .isEqualTo("0,1.5,2,0.25");
  }

  private static float[] someFloats() {
    SplittableRandom random = new SplittableRandom(1);
    float[] floats = new float[20_000];
    for (int i = 0; i < floats.length; i++) {
      float any = Float.intBitsToFloat(random.nextInt());
      floats[i] = Float.isFinite(any) ? any : (float) random.nextDouble();
    }
    float[] special = {
      -0f, 0, Float.MIN_VALUE, -3.4e38f, 1 << 24, (1 << 24) - 1, 1e10f, 0.1f, 1 / 255f
    };
    System.arraycopy(special, 0, floats, 0, special.length);
    return floats;
  }

  /** Decodes a record as training from a topic does, with settings of a data file. */
  private static float[] decoded(
      RecordFormat format, FedSample sample, FeatureFields fields, String settings) {
    RecordForm form =
        DataSettings.typed(
                "{place: 'kafka:t', format: %s, %s}"
                    .formatted(format.name().toLowerCase(Locale.ROOT), settings))
            .topic()
            .orElseThrow()
            .form();
    int features = form.shape().features();
    int targets = form.shape().hasValues() ? form.shape().outputs() : 1;
    float[] read = new float[features];
    float[] ofTargets = new float[targets];
    SampleDecoder.Outcome outcome =
        new RecordDecoder(form)
            .decode(null, format.write(sample, fields), read, 0, ofTargets, 0, new float[0], 0);
    assertThat(outcome).isEqualTo(SampleDecoder.Outcome.TRAIN);
    float[] all = Arrays.copyOf(read, features + targets);
    System.arraycopy(ofTargets, 0, all, features, targets);
    return all;
  }

  private static void assertBits(float[] read, float[] written) {
    for (int i = 0; i < written.length; i++) {
      assertThat(Float.floatToRawIntBits(read[i]))
          .as("number %d", i)
          .isEqualTo(Float.floatToRawIntBits(written[i]));
    }
  }

  @ParameterizedTest
  @EnumSource
  void trainingReadsTheSameFloats(RecordFormat format) {
    float[] features = someFloats();
    float[] read =
        decoded(
            format,
            new FedSample(17, features, new FedSample.NumberedClass(200)),
            FeatureFields.array("x"),
            "features: {x: {width: 20000}}, label: label, classes: 300");
    assertBits(read, features);
    assertThat(read[features.length]).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void trainingReadsFieldsAndNamedClasses(RecordFormat format) {
    float[] features = {3, -0f, 1.25f};
    float[] read =
        decoded(
            format,
            new FedSample(17, features, new FedSample.NamedClass("größer, \"𝔸\"")),
            FeatureFields.numbered(),
            "features: [x1, x2, x3], label: label, classes: [no, 'größer, \"𝔸\"']");
    assertBits(read, features);
    assertThat(read[features.length]).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void trainingReadsValues(RecordFormat format) {
    assertThat(
            decoded(
                format,
                new FedSample(17, new float[] {1}, new FedSample.Values(new float[] {-2.5f})),
                FeatureFields.array("x"),
                "features: {x: {width: 1}}, label: label, regression: true"))
        .containsExactly(1, -2.5f);
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "AVRO"})
  void formatsWithoutNamesHaveAFieldForEachValue(RecordFormat format) {
    assertThat(
            decoded(
                format,
                new FedSample(17, new float[] {1}, new FedSample.Values(new float[] {-2.5f, 4})),
                FeatureFields.array("x"),
                "features: {x: {width: 1}}, label: [price, rent], regression: true"))
        .containsExactly(1, -2.5f, 4);
  }
}
