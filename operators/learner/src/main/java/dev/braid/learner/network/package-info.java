/**
 * Learners, and evaluations of trained models.
 *
 * <p>{@link dev.braid.learner.network.Learners} chooses one of two learners, which compute the same
 * gradient:
 *
 * <pre>
 *                             samples
 *                  ┌─────────────┴─────────────────────────┐
 *                  ▼                                       ▼
 *             StackLearner                             DeepLearner
 *   SparseRows, a dense product, or layers           any network that
 *   of images (LayerSequence)                        ModelCheck lets pass
 *                  │                                       │
 *                  ▼                                       ▼
 *   DenseStack: DenseStage, DenseActivation, …       Deeplearning4j
 *                  └────────── DenseLoss ──────────────────┘
 * </pre>
 *
 * <p>The first uses Braid's own layers, because Deeplearning4j also computes a gradient by the
 * samples, which is not needed, and copies images into patches number by number. The second accepts
 * the models that the first does not, and is the reference in tests. A {@code DenseStage} computes
 * a fully connected layer's three matrix products: the forward product, and the gradients by the
 * weights and by the input ({@link dev.braid.learner.matrix.MatrixMultiplier}); {@code SparseRows}
 * computes them for features that are mostly 0.
 *
 * <p>{@link dev.braid.learner.network.Models} creates models that have been tested with the shape
 * of their data. {@link dev.braid.learner.network.ModelEvaluation} evaluates a saved model on
 * samples with classes, {@link dev.braid.learner.network.ValueEvaluation} on samples with values,
 * and {@link dev.braid.learner.network.Classifier} returns its outputs. A {@code ScoringNetwork}
 * computes them: {@code StackScoring} with the layers of the first learner, {@code DeepScoring}
 * with Deeplearning4j.
 */
package dev.braid.learner.network;
