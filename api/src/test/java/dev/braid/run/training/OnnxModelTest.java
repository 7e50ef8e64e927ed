package dev.braid.run.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that ONNX Runtime returns the same for data as Braid for its samples. */
class OnnxModelTest {

  private static final float MOST = 1e-5f;

  /** Columns of all kinds, among them one that is filled and one with a mean of seven digits. */
  private static final String TABLE =
      """
      {"version": 1, "model": "logistic", "data": "flats.csv",
       "input": {"channels": 1, "height": 1, "width": 5}, "divisor": 1,
       %s
       "table": {"header": true, "columns": 6, %s "features": [
         {"column": 1, "name": "rooms", "mean": 2.5, "deviation": 1.5, "fill": 3},
         {"column": 2, "name": "time", "mean": 1700000000, "deviation": 3000},
         {"column": 3, "name": "city", "categories": ["Berlin", "Köln"]},
         {"column": 4, "name": "area"}]}}
      """;

  private static ModelCard card(String outputs, String label) {
    return ModelCard.of(TABLE.formatted(outputs, label));
  }

  private static final ModelCard CLASSES =
      card("\"classes\": [\"no\", \"yes\", \"so\"],", "\"label\": 6, \"labelName\": \"sold\",");

  private static ModelSpec spec(ModelCard card) {
    Shape shape = card.shape();
    ModelSpec spec = Models.of("logistic", shape, 3);
    float[] weights;
    try (Learner learner = Learners.create(spec, shape)) {
      weights = new float[learner.length()];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) Math.sin(i);
    }
    return spec.with(weights, new float[0][], 0);
  }

  private static float[] scores(ModelSpec spec, ModelCard card, float... features) {
    try (Classifier classifier = Classifier.of(spec, card.shape())) {
      return classifier.scores(features);
    }
  }

  @Test
  void aTableIsTakenAsItIs_andAnsweredByClasses() throws OrtException {
    ModelSpec spec = spec(CLASSES);
    float[] expected =
        scores(
            spec, CLASSES, // a text that is no category, a number that is missing
            1, 1, 1, 0, 7.5f, 1f / 3, -2, 0, 0, -1, -1, 0.5f, 0, 1, 0);
    Map<String, OnnxTensor> inputs = new HashMap<>();
    inputs.put("rooms", numbers(4, Double.NaN, 1));
    inputs.put("time", numbers(1_700_003_000, 1_699_994_000, 1_700_001_500));
    inputs.put("city", texts("Berlin", "Bonn", "Köln"));
    inputs.put("area", numbers(7.5, -1, 0));
    OnnxModel model = OnnxModel.of(spec, CLASSES);
    assertThat(model.inputs()).hasSize(4).contains("city: string [samples, 1]");
    try (OrtSession.Result result = run(model, inputs)) {
      assertThat(floats(result, "scores")).containsExactly(expected, within(MOST));
      String[] classes = (String[]) result.get("class").orElseThrow().getValue();
      for (int i = 0; i < classes.length; i++) {
        assertThat(classes[i]).isEqualTo(CLASSES.classNames().get(best(expected, 3 * i)));
      }
    }
  }

  private static int best(float[] scores, int from) {
    int best = 0;
    for (int i = 1; i < 3; i++) {
      best = scores[from + i] > scores[from + best] ? i : best;
    }
    return best;
  }

  @Test
  void valuesHaveTheUnitsOfTheData() throws OrtException {
    ModelCard card =
        card(
            "\"values\": [{\"column\": 6, \"name\": \"rent\", \"mean\": 900, \"deviation\": 40}],",
            "");
    ModelSpec spec = spec(card);
    float scaled = scores(spec, card, 1, 1, 1, 0, 7.5f)[0];
    Map<String, OnnxTensor> inputs = new HashMap<>();
    inputs.put("rooms", numbers(4));
    inputs.put("time", numbers(1_700_003_000));
    inputs.put("city", texts("Berlin"));
    inputs.put("area", numbers(7.5));
    try (OrtSession.Result result = run(OnnxModel.of(spec, card), inputs)) {
      assertThat(floats(result, "values"))
          .containsExactly(new float[] {scaled * 40 + 900}, within(1e-3f));
    }
  }

  @Test
  void imagesAreDividedAndNormalized() throws OrtException {
    ModelCard card =
        ModelCard.of(
            """
            {"version": 1, "model": "logistic", "data": "images",
             "input": {"channels": 2, "height": 2, "width": 2}, "divisor": 255,
             "classes": ["a", "b"],
             "images": {"resized": false, "channels": [
               {"mean": 0.5, "deviation": 0.25}, {"mean": 0.2, "deviation": 0.5}]}}
            """);
    ModelSpec spec = spec(card);
    float[] pixels = {0, 255, 51, 102, 153, 204, 0, 255};
    float[] features = new float[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      float share = pixels[i] / 255;
      features[i] = i < 4 ? (share - 0.5f) / 0.25f : (share - 0.2f) / 0.5f;
    }
    OnnxTensor image =
        OnnxTensor.createTensor(
            OrtEnvironment.getEnvironment(), FloatBuffer.wrap(pixels), new long[] {1, 2, 2, 2});
    try (OrtSession.Result result = run(OnnxModel.of(spec, card), Map.of("image", image))) {
      assertThat(floats(result, "scores"))
          .containsExactly(scores(spec, card, features), within(MOST));
    }
  }

  private static ModelCard numbersCalled(String first, String second) {
    return ModelCard.of(
        """
        {"version": 1, "model": "logistic", "data": "kafka:flats",
         "input": {"channels": 1, "height": 1, "width": 2}, "divisor": 1, "classes": ["a", "b"],
         "table": {"header": true, "columns": 3, "label": 3, "labelName": "sold", "features": [
           {"column": 1, "name": "%s", "mean": 1, "deviation": 2},
           {"column": 2, "name": "%s", "mean": 1, "deviation": 2}]}}
        """
            .formatted(first, second));
  }

  @Test
  void columnsMayBeCalledAsTensorsAre_butNotAsOutputs() throws OrtException {
    ModelCard card = numbersCalled("t0", "t1");
    ModelSpec spec = spec(card);
    Map<String, OnnxTensor> inputs = Map.of("t0", numbers(3), "t1", numbers(-1));
    try (OrtSession.Result result = run(OnnxModel.of(spec, card), inputs)) {
      assertThat(floats(result, "scores")).containsExactly(scores(spec, card, 1, -1), within(MOST));
    }
    ModelCard like = numbersCalled("t0", "class");
    assertThatThrownBy(() -> OnnxModel.of(spec, like))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("class");
  }

  @Test
  void anArrayIsOneInput() throws OrtException {
    ModelCard card = numbersCalled("pixels[0]", "pixels[1]");
    ModelSpec spec = spec(card);
    OnnxTensor pixels =
        OnnxTensor.createTensor(
            OrtEnvironment.getEnvironment(),
            DoubleBuffer.wrap(new double[] {3, -1}),
            new long[] {1, 2});
    try (OrtSession.Result result = run(OnnxModel.of(spec, card), Map.of("pixels", pixels))) {
      assertThat(floats(result, "scores")).containsExactly(scores(spec, card, 1, -1), within(MOST));
    }
  }

  @Test
  void hashedTextsAreRefused() {
    ModelCard card =
        ModelCard.of(
            """
            {"version": 1, "model": "logistic", "data": "kafka:flats",
             "input": {"channels": 1, "height": 1, "width": 4}, "divisor": 1,
             "classes": ["a", "b"],
             "table": {"header": true, "columns": 2, "label": 2, "labelName": "sold", "features": [
               {"column": 1, "name": "zip", "buckets": 4}]}}
            """);
    ModelSpec spec = spec(card);
    assertThatThrownBy(() -> OnnxModel.of(spec, card))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("zip");
  }

  private static OnnxTensor numbers(double... values) throws OrtException {
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(), DoubleBuffer.wrap(values), new long[] {values.length, 1});
  }

  private static OnnxTensor texts(String... texts) throws OrtException {
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(), texts, new long[] {texts.length, 1});
  }

  private static OrtSession.Result run(OnnxModel model, Map<String, OnnxTensor> inputs)
      throws OrtException {
    return OrtEnvironment.getEnvironment().createSession(model.bytes()).run(inputs);
  }

  private static float[] floats(OrtSession.Result result, String name) {
    FloatBuffer found = ((OnnxTensor) result.get(name).orElseThrow()).getFloatBuffer();
    float[] floats = new float[found.remaining()];
    found.get(floats);
    return floats;
  }
}
