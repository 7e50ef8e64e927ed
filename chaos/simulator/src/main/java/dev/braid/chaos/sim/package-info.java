/**
 * The simulator: what runs in Flink, in virtual time, on one thread. Each rank has a real trainer
 * with its exchange and a real hold protocol, and the coordinator is the loop's; links, the source
 * of batches, the compute thread and the clock are simulated.
 *
 * <p>It is a discrete-event simulation: nothing happens between two events, so time jumps from one
 * to the next. A {@link dev.braid.chaos.sim.Simulation} says all that a run is made of, and its
 * {@code SimulationRun} takes one event after the other out of the {@code EventQueue} until all
 * ranks have done their rounds and nothing is in flight. Events come by time, and those of one time
 * in the order in which they were asked for:
 *
 * <pre>
 *   EventQueue ──next()──▶ SimulationRun
 *       ▲                    │ message      │ batch, gradient, deadline   │ what was said
 *       │                    ▼              ▼                             ▼
 *       │        SimulatedNetwork ◀─send─ SimulatedRank ◀───tell───▶ ControlPlane
 *       │                    │              │                             │  ▲
 *       └────── schedule ────┴──────────────┴─────────────────────────────┘ SimulatedCheckpoints
 * </pre>
 *
 * <p>On its way through the {@code SimulatedNetwork} a message is counted ({@link
 * dev.braid.chaos.sim.Traffic}, {@code WireWatch}) and its values are copied ({@code Loans}, which
 * spoils what is given back, so that nobody can use it after). It passes its sender's line ({@code
 * Lines}), its link, what faults do to it ({@code SimulatedFaults}: the chaos events and the {@code
 * FaultPlan} of a Flink job), and its receiver's line. The {@code ControlPlane} is the coordinator
 * with the operator events that it and ranks tell each other, and {@code SimulatedCheckpoints} has
 * it hold all ranks, which at some checkpoints go on as after a restart.
 *
 * <p>Whatever is random comes from the run's seed. So a run can be done again, event by event; the
 * digest of a {@link dev.braid.chaos.sim.SimulationResult} tells whether it went the same way, and
 * a {@link dev.braid.chaos.sim.SimulationFailure} names the seed.
 *
 * <p>Below this package, {@code condition} is what a run is given, such as links and compute times,
 * and {@code check} is what every exchange has to keep, watched at each update. {@code random},
 * which stands on this package, draws runs under faults.
 */
package dev.braid.chaos.sim;
