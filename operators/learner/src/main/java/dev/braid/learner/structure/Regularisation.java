package dev.braid.learner.structure;

import dev.braid.learner.InvalidModelException;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.TrainingConfig;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.learning.regularization.L1Regularization;
import org.nd4j.linalg.learning.regularization.L2Regularization;
import org.nd4j.linalg.learning.regularization.Regularization;
import org.nd4j.linalg.learning.regularization.WeightDecay;
import org.nd4j.linalg.schedule.FixedSchedule;
import org.nd4j.linalg.schedule.ISchedule;

/**
 * A model's L1 and L2 penalties, as Deeplearning4j adds them to the mean gradient before the
 * updater: {@code l1 * sign(w) + l2 * w}.
 *
 * <p>In Braid they are part of each sample's gradient, so that the mean over all workers' samples
 * contains them once.
 */
public final class Regularisation {

  private record Term(Range range, float l1, float l2) {}

  private final List<Term> terms;

  private Regularisation(List<Term> terms) {
    this.terms = List.copyOf(terms);
  }

  /** Returns the penalties of an initialised network's layers. */
  public static Regularisation of(MultiLayerNetwork network) {
    List<Term> terms = new ArrayList<>();
    int start = 0;
    for (Layer layer : network.getLayers()) {
      TrainingConfig config = layer.getConfig();
      for (Map.Entry<String, INDArray> parameter : layer.paramTable(false).entrySet()) {
        int end = Math.toIntExact(start + parameter.getValue().length());
        double l1 = 0;
        double l2 = 0;
        for (var penalty : orNone(config.getRegularizationByParam(parameter.getKey()))) {
          if (penalty instanceof L1Regularization l) {
            l1 += l.getL1().valueAt(0, 0);
          } else if (penalty instanceof L2Regularization l) {
            l2 += l.getL2().valueAt(0, 0);
          }
        }
        if (l1 != 0 || l2 != 0) {
          terms.add(new Term(new Range(start, end), (float) l1, (float) l2));
        }
        start = end;
      }
    }
    return new Regularisation(terms);
  }

  /**
   * Rejects penalties that are not a fixed addition to the gradient.
   *
   * @throws InvalidModelException if a penalty is of another kind, changes with the step, or has an
   *     invalid coefficient
   */
  public static void check(String where, List<Regularization> penalties) {
    for (var penalty : orNone(penalties)) {
      if (!isFixed(penalty)) {
        throw new InvalidModelException(
            where + ": regularisation " + penalty + ": must be a fixed L1, L2 or WeightDecay");
      }
      double coefficient = coefficient(penalty).valueAt(0, 0);
      if (!(coefficient >= 0 && Double.isFinite(coefficient))) {
        throw new InvalidModelException(
            where
                + ": the coefficient of "
                + penalty.getClass().getSimpleName()
                + " is "
                + coefficient
                + ": must be a finite number, 0 or more");
      }
    }
  }

  /**
   * Returns the weight decays of a layer's parameter, which are not penalties but parts of each
   * step. Several decays add up: if a model's builder sets decays for the model and for the layer,
   * the layer has both.
   */
  public static Stream<WeightDecay> decays(TrainingConfig layer, String parameter) {
    return orNone(layer.getRegularizationByParam(parameter)).stream()
        .filter(WeightDecay.class::isInstance)
        .map(WeightDecay.class::cast);
  }

  /**
   * Replaces all decays of the layer's weights and biases by one decay of the weights; 0 for none.
   */
  public static void setDecay(BaseLayer layer, double share) {
    List<Regularization> ofWeights = withoutDecays(layer.getRegularization());
    if (share > 0) {
      ofWeights.add(new WeightDecay(share, true));
    }
    layer.setRegularization(ofWeights);
    layer.setRegularizationBias(withoutDecays(layer.getRegularizationBias()));
  }

  private static List<Regularization> withoutDecays(List<Regularization> penalties) {
    List<Regularization> others = new ArrayList<>(orNone(penalties));
    others.removeIf(WeightDecay.class::isInstance);
    return others;
  }

  /** Returns whether a layer has weights or biases that decay. */
  public static boolean decays(org.deeplearning4j.nn.conf.layers.Layer layer) {
    return RecurrentLayers.withUpdater(layer).stream()
        .flatMap(
            base ->
                Stream.concat(
                    orNone(base.getRegularization()).stream(),
                    orNone(base.getRegularizationBias()).stream()))
        .anyMatch(WeightDecay.class::isInstance);
  }

  /** Returns whether there are no penalties. */
  public boolean isEmpty() {
    return terms.isEmpty();
  }

  /** Adds the penalties' gradient, times {@code samples}. */
  public void addTo(float[] gradient, float[] weights, double samples) {
    for (Term term : terms) {
      float l1 = term.l1 * (float) samples;
      float l2 = term.l2 * (float) samples;
      for (int i = term.range.start(); i < term.range.end(); i++) {
        gradient[i] += l2 * weights[i] + l1 * Math.signum(weights[i]);
      }
    }
  }

  private static boolean isFixed(Regularization penalty) {
    return coefficient(penalty) instanceof FixedSchedule;
  }

  private static ISchedule coefficient(Regularization penalty) {
    if (penalty instanceof L1Regularization l1) {
      return l1.getL1();
    }
    if (penalty instanceof L2Regularization l2) {
      return l2.getL2();
    }
    return penalty instanceof WeightDecay decay ? decay.getCoeff() : null;
  }

  private static <T> List<T> orNone(List<T> list) {
    return list == null ? List.of() : list;
  }
}
