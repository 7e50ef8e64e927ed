/**
 * Simulations under random faults: the exchange, ranks, links, compute times, checkpoints and all
 * chaos events are drawn from one number.
 *
 * <pre>
 *   RandomFaultSchedules ──seed──▶ RandomFaultRun ──▶ Simulation, with a check
 *     many, on all cores              one            ▲
 *                                  FaultSchedules ───┤ a path is left, or any faults
 *                                  Partings ─────────┘ ranks and subtrees are separated
 * </pre>
 *
 * <p>{@link dev.braid.chaos.sim.random.FaultSchedules} places faults where they can have an effect:
 * between the start of a run and its least duration. {@link dev.braid.chaos.sim.random.Partings}
 * removes all paths from some ranks for a time. The suites of exchanges use both.
 *
 * <p>{@link dev.braid.chaos.sim.random.RandomFaultSchedules} is a command ({@code bench/run} with
 * its name). It reports a run that fails with its seed, and {@code --seed} repeats the run, event
 * by event. If a kind of fault had no effect in many runs, the command fails as well: a schedule
 * without effects shows nothing.
 */
package dev.braid.chaos.sim.random;
