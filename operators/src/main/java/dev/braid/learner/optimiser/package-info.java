/**
 * What is between a gradient and the weights: the optimisers, how their learning rate changes, and
 * what becomes of gradients that are too large.
 *
 * <p>An {@link dev.braid.learner.optimiser.Optimiser} is what a user has asked for, in settings
 * that travel in the job's graph. Each worker makes an {@link dev.braid.learner.optimiser.Updater}
 * of it, which takes the steps; it is several, one around the other:
 *
 * <pre>
 *   sum of gradients, samples
 *     │  StatisticsUpdater   running statistics follow at no learning rate, and have no gradient
 *     │  DecayingUpdater     weights decay (Loshchilov and Hutter, 2019)
 *     │  ClippedUpdater      each number, or the norm, is bounded (Pascanu et al., 2013)
 *     │  one of
 *     │    SgdUpdater
 *     │    MomentumUpdater   Nesterov, 1983
 *     │    AdamUpdater       Kingma and Ba, 2015
 *     │    AmsGradUpdater    Reddi et al., 2018
 *     ▼    RmsPropUpdater    Tieleman and Hinton, 2012
 *   weights, state
 * </pre>
 *
 * <p>What those five have in common is in {@code Updaters}.
 *
 * <p>A step is element-wise. So it can be taken over any range as soon as that range's sum is
 * there, parameter servers can share the vector, and a state vector is as long as the weights: a
 * checkpoint can be cut at any place and put together for another number of workers.
 *
 * <p>A user says in epochs how the learning rate is to change ({@link
 * dev.braid.learner.optimiser.EpochSchedule}); an optimiser counts steps, of which an epoch has
 * more where there are fewer workers ({@link dev.braid.learner.optimiser.Pace}). Both together are
 * a {@link dev.braid.learner.optimiser.LearningRateSchedule}, a pure function of the number of
 * steps.
 *
 * <p>Settings ({@link dev.braid.learner.optimiser.UpdaterSpec}, {@link
 * dev.braid.learner.optimiser.Clipping}) mean what Deeplearning4j means by them, so that a saved
 * model goes on there. {@link dev.braid.learner.optimiser.ParameterKinds} says which of a model's
 * parameters are treated otherwise than the rest.
 */
package dev.braid.learner.optimiser;
