/**
 * Simulations under faults that are drawn at random: from one number come the exchange, ranks,
 * links, compute times, checkpoints and all chaos events.
 *
 * <pre>
 *   RandomFaultSchedules ──seed──▶ RandomFaultRun ──▶ Simulation, with a check
 *     many, on all cores              one            ▲
 *                                  FaultSchedules ───┤ a path is left, or any faults
 *                                  Partings ─────────┘ ranks and subtrees cut off altogether
 * </pre>
 *
 * <p>{@link dev.braid.chaos.sim.random.FaultSchedules} puts faults where they can hit: between the
 * start of a run and the time that it takes at least. {@link dev.braid.chaos.sim.random.Partings}
 * takes all ways from some ranks for a time. The suites of exchanges draw theirs from both.
 *
 * <p>{@link dev.braid.chaos.sim.random.RandomFaultSchedules} is a command ({@code bench/run} with
 * its name). A run that fails is told with its seed, and {@code --seed} does it again, to the same
 * event. Where a kind of fault has hit nothing in many runs, the command fails as well: a schedule
 * that harms nobody shows nothing.
 */
package dev.braid.chaos.sim.random;
