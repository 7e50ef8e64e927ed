/**
 * The steps from a gradient to the weights: the optimisers, their learning-rate schedules, and the
 * clipping of large gradients.
 *
 * <p>An {@link dev.braid.learner.optimiser.Optimiser} holds the user's settings, which are
 * serialised in the job's graph. Each worker creates an {@link dev.braid.learner.optimiser.Updater}
 * from it, which takes the steps. It is a fixed pipeline, {@code UpdatePipeline}:
 *
 * <pre>
 *   Step: sum of gradients, samples
 *     │  running statistics have no gradient here
 *     │  each number, or the norm, is bounded (Pascanu et al., 2013)
 *     │  UpdateRule, one of
 *     │    Sgd
 *     │    Momentum   Nesterov, 1983
 *     │    Adam       Kingma and Ba, 2015; AMSGrad: Reddi et al., 2018
 *     │    RmsProp    Tieleman and Hinton, 2012
 *     │  weights decay (Loshchilov and Hutter, 2019)
 *     ▼  running statistics follow at no learning rate
 *   weights, state
 * </pre>
 *
 * <p>A step is element-wise. It can therefore be taken over any range as soon as that range's sum
 * is known, and parameter servers can divide the vector among themselves. A state vector is as long
 * as the weights, so that a checkpoint can be split at any index and reassembled for another number
 * of workers.
 *
 * <p>A user configures the learning-rate schedule in epochs ({@link
 * dev.braid.learner.optimiser.EpochSchedule}). An optimiser counts steps, and an epoch has more
 * steps with fewer workers ({@link dev.braid.learner.optimiser.Pace}). Both together give a {@link
 * dev.braid.learner.optimiser.LearningRateSchedule}, a pure function of the number of steps.
 *
 * <p>Settings ({@link dev.braid.learner.optimiser.UpdaterSpec}, {@link
 * dev.braid.learner.optimiser.Clipping}) have Deeplearning4j's meaning, so that training of a saved
 * model can continue there. {@link dev.braid.learner.optimiser.ParameterKinds} names the parameters
 * that are treated specially.
 */
package dev.braid.learner.optimiser;
