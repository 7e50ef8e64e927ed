/**
 * Models and their gradients, as a worker uses them, and the samples to compute on. Everything
 * between two exchanges of gradients is behind {@link dev.braid.learner.Learner}.
 *
 * <p>Stochastic gradient descent takes a few samples, and computes in which direction the weights
 * reduce the loss of these samples. Then it takes a step in that direction (Robbins and Monro, "A
 * stochastic approximation method", 1951). Workers share that work: each has its own batch. They
 * exchange <em>sums</em> of the samples' gradients, so that the mean over all samples of a round is
 * right for any batch sizes.
 *
 * <pre>
 *   Samples ──batch(ids)──▶ Batch: Features, Targets
 *                            │
 *           weights ──▶ Learner ──▶ the sum of gradients, the sum of losses
 *                            └────▶ Score
 * </pre>
 *
 * <p>A {@link dev.braid.learner.Shape} describes the samples, and an {@link
 * dev.braid.learner.InvalidModelException} says in one line why a model cannot be trained on them.
 *
 * <p>Each of the subpackages depends only on some of those listed before it:
 *
 * <ul>
 *   <li>{@code math}: the native library, limited to one thread and to known kernels;
 *   <li>{@code structure}: the parts of a Deeplearning4j configuration, and the positions of its
 *       parameters in the flat vector;
 *   <li>{@code optimiser}: the steps by which a gradient changes the weights;
 *   <li>{@code model}: users' model files, which are validated as untrusted input;
 *   <li>{@code vectors}: whether a process has the JDK's vectors, and when they become faster;
 *   <li>{@code sparse} and {@code matrix}: products of sparse matrices, and of dense ones;
 *   <li>{@code layer}: Braid's own layers for images;
 *   <li>{@code network}: learners, which combine all of these, and evaluations of a model.
 * </ul>
 *
 * <p>{@code math} depends on no other package, and this package depends on {@code math} only.
 */
package dev.braid.learner;
