/**
 * What a worker asks of a model, and what it gives the model to compute on. Everything between two
 * exchanges of gradients is behind {@link dev.braid.learner.Learner}.
 *
 * <p>Stochastic gradient descent takes a few samples, asks in which direction the weights would
 * have to go for the loss of these samples to become smaller, and takes a step there (Robbins and
 * Monro, "A stochastic approximation method", 1951). Workers share that: each has a batch of its
 * own, and what they exchange are <em>sums</em> of samples' gradients, so that the mean over all
 * samples of a round is right whatever the sizes of the batches.
 *
 * <pre>
 *   Samples ──batch(ids)──▶ Batch: Features, Targets
 *                            │
 *           weights ──▶ Learner ──▶ the sum of gradients, the sum of losses
 *                            └────▶ Score
 * </pre>
 *
 * <p>A {@link dev.braid.learner.Shape} says what samples look like, and {@link
 * dev.braid.learner.InvalidModelException} in one line why a model cannot be trained on them.
 *
 * <p>Rooms below, each on some of those before it and on none after it:
 *
 * <ul>
 *   <li>{@code math}: the native library, held to one thread and to kernels that are known;
 *   <li>{@code structure}: what a configuration of Deeplearning4j's is made of, and where its
 *       parameters are in the flat vector;
 *   <li>{@code optimiser}: what becomes of a gradient before it changes the weights;
 *   <li>{@code model}: models as users have them, in files, read with mistrust;
 *   <li>{@code vectors}: whether a process has the JDK's vectors, and from when on they are faster;
 *   <li>{@code sparse} and {@code matrix}: products of matrices most of which are 0, and of others;
 *   <li>{@code layer}: Braid's own layers of images;
 *   <li>{@code network}: learners, which are made of all these, and evaluations of a model.
 * </ul>
 *
 * <p>{@code math} stands on nothing, and the package itself on {@code math} only.
 */
package dev.braid.learner;
