/**
 * What a run is, once all has been looked at: {@link dev.braid.job.plan.RunPlan}.
 *
 * <p>A plan is made of options in the order in which mistakes should be told: data that can be read
 * ({@link dev.braid.job.plan.KnownModel}, for a saved model knows its data), a model that fits it,
 * an optimiser that the exchange can apply ({@code OptimiserPlan}), a checkpoint that fits both,
 * chaos events that are some ({@code ChaosPlan}). Whoever has a plan can describe the run, and
 * build the job; nothing has been written yet. {@link dev.braid.run.training.ModelCard} is what is
 * kept beside a saved model so that its outputs can be understood later.
 *
 * <p>Imports {@code options}, {@code engine}, {@code restore}, {@code report} and what these stand
 * on. It prints nothing: what it has to say, it hands to the command.
 */
package dev.braid.job.plan;
