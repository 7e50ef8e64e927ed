package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordFormatTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

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
                FeatureFields.numbered("x")))
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
    FeatureFields any = FeatureFields.numbered("x");
    assertThat(text(RecordFormat.CSV, features, new FedSample.NumberedClass(1), any))
        .isEqualTo("0,1.5,1");
    assertThat(text(RecordFormat.CSV, features, new FedSample.NamedClass("red"), any))
        .isEqualTo("0,1.5,red");
    assertThat(text(RecordFormat.CSV, features, new FedSample.NamedClass("a,\"b\""), any))
        .isEqualTo("0,1.5,\"a,\"\"b\"\"\"");
    assertThat(text(RecordFormat.CSV, features, new FedSample.Values(new float[] {2, 0.25f}), any))
        .isEqualTo("0,1.5,2,0.25");
  }

  @Test
  void readersGetTheSameFloats() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    float[] features = new float[20_000];
    for (int i = 0; i < features.length; i++) {
      float any = Float.intBitsToFloat(random.nextInt());
      features[i] = Float.isFinite(any) ? any : (float) random.nextDouble();
    }
    float[] special = {
      -0f, 0, Float.MIN_VALUE, -Float.MAX_VALUE, 1 << 24, (1 << 24) - 1, 1e10f, 0.1f, 1 / 255f
    };
    System.arraycopy(special, 0, features, 0, special.length);
    FedSample.Label label = new FedSample.NumberedClass(0);
    JsonNode json =
        MAPPER.readTree(text(RecordFormat.JSON, features, label, FeatureFields.array("x")));
    String[] cells =
        text(RecordFormat.CSV, features, label, FeatureFields.array("x")).split(",", -1);
    float[] ofJson = new float[features.length];
    float[] ofCsv = new float[features.length];
    for (int i = 0; i < features.length; i++) {
      ofJson[i] = (float) json.get("x").get(i).asDouble();
      ofCsv[i] = Float.parseFloat(cells[i]);
    }
    assertThat(ofJson).isEqualTo(features);
    assertThat(ofCsv).isEqualTo(features);
    assertThat(Float.floatToRawIntBits(ofJson[0])).isEqualTo(Float.floatToRawIntBits(-0f));
  }
}
