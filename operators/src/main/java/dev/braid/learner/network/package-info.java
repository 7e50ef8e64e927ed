/**
 * Models that compute: learners, and what is said of a model that has learnt.
 *
 * <p>{@link dev.braid.learner.network.Learners} has three of them to choose from, for the same
 * gradient:
 *
 * <pre>
 *                             samples
 *     ┌──────────────────────────┼─────────────────────────┐
 *     ▼                          ▼                         ▼
 *   DenseLearner           ConvolutionLearner          DeepLearner
 *   SparseRows, or a       layers of images            any network that
 *   dense product          (LayerSequence)             ModelCheck lets pass
 *     └────────────┬─────────────┘                         │
 *                  ▼                                       ▼
 *   DenseStack: DenseStage, DenseActivation, …       Deeplearning4j
 *                  └────────── DenseLoss ──────────────────┘
 * </pre>
 *
 * <p>The first two are Braid's own, as Deeplearning4j also computes a gradient by the samples,
 * which nobody reads, and takes images apart number by number. The third takes what they do not,
 * and is what tests hold them against. A {@code DenseStage} has a fully connected layer's three
 * matrix products, forward, by the weights and by the input ({@link
 * dev.braid.learner.matrix.MatrixMultiplier}); {@code SparseRows} has them for features most of
 * which are 0.
 *
 * <p>{@link dev.braid.learner.network.Models} are models that have been tried on the shape of their
 * data. A saved one is evaluated with {@link dev.braid.learner.network.ModelEvaluation} where
 * samples have classes, and with {@link dev.braid.learner.network.ValueEvaluation} where they have
 * values; {@link dev.braid.learner.network.Classifier} gives its outputs. A {@code ScoringNetwork}
 * computes them: {@code StackScoring} with the layers of the first two learners, {@code
 * DeepScoring} with Deeplearning4j.
 */
package dev.braid.learner.network;
