/**
 * Simulations under random faults: the exchange, ranks, links, compute times, checkpoints and all
 * chaos events are drawn from one number. So are runs from a topic ({@code RandomStreamRun}).
 *
 * <pre>
 *   RandomSearch ──RunChoice──▶ RandomFaultRun ──▶ Simulation, with a check
 *     on all cores  one seed       one │          ▲
 *                                  FaultSchedules ┤ a path is left, or any faults
 *                                  Partings ──────┘ ranks and subtrees are separated
 * </pre>
 *
 * <p>Each seed draws a subset of the {@code Feature}s, such as kinds of faults, crashes, or slow
 * storage, and their rates. {@link dev.braid.chaos.sim.random.FaultSchedules} places faults where
 * they can have an effect: between the start of a run and its least duration. {@link
 * dev.braid.chaos.sim.random.Partings} removes all paths from some ranks for a time. The suites of
 * exchanges use both.
 *
 * <p>{@link dev.braid.chaos.sim.random.RandomSearch} is a command, {@code bench/search}. It reports
 * a run that fails with its seed, which repeats the run, event by event. {@code Minimiser} shrinks
 * the run to the features, ranks and events that it needs to fail. If something that the simulator
 * can do never happened in many runs, the command fails as well: a search without effects shows
 * nothing.
 */
package dev.braid.chaos.sim.random;
