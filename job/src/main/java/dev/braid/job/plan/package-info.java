/**
 * The plan of a run after all checks: {@link dev.braid.job.plan.RunPlan}.
 *
 * <p>A plan is made from options in the order in which errors should be reported: readable data
 * ({@link dev.braid.job.plan.KnownModel}, since a saved model constrains its data), a model that
 * fits it, an optimiser that the exchange can apply ({@code OptimiserPlan}), a checkpoint that fits
 * both, and valid chaos events ({@code ChaosPlan}). A plan can describe the run and build the job;
 * it has not written anything yet. {@link dev.braid.run.training.ModelCard} is stored next to a
 * saved model and explains its outputs.
 *
 * <p>Imports {@code options}, {@code engine}, {@code restore}, {@code report} and their imports. It
 * prints nothing; it returns its messages to the command.
 */
package dev.braid.job.plan;
