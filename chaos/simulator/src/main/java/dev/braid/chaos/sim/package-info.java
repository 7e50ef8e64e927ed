/**
 * The simulator: the code that runs in Flink, in virtual time, on one thread. Each rank has a real
 * trainer with its exchange and a real hold protocol, and the coordinator is that of the loop;
 * links, the source of batches, the compute thread and the clock are simulated.
 *
 * <p>It is a discrete-event simulation: nothing happens between two events, so time jumps from one
 * to the next. A {@link dev.braid.chaos.sim.Simulation} has all settings of a run, and its {@code
 * SimulationRun} takes events one by one from the {@code EventQueue} until all ranks have completed
 * their rounds and nothing is in flight. Events are ordered by time, and those of the same time by
 * the order in which they were scheduled:
 *
 * <pre>
 *   EventQueue ──next()──▶ SimulationRun
 *       ▲                    │ message      │ batch, gradient, deadline   │ control
 *       │                    ▼              ▼                             ▼
 *       │        SimulatedNetwork ◀─send─ SimulatedRank ◀───tell───▶ ControlPlane
 *       │                    │              │                             │  ▲
 *       └────── schedule ────┴──────────────┴─────────────────────────────┘ SimulatedCheckpoints
 * </pre>
 *
 * <p>On its way through the {@code SimulatedNetwork} a message is counted ({@link
 * dev.braid.chaos.sim.Traffic}, {@code WireWatch}) and its values are copied ({@code Loans}, which
 * overwrites released values, so that their use shows). It passes its sender's line ({@code
 * Lines}), its link, the faults of the link ({@code SimulatedFaults}: the chaos events and the
 * {@code FaultPlan} of a Flink job), and its receiver's line. The {@code ControlPlane} is the
 * coordinator with the operator events between it and the ranks. {@code SimulatedCheckpoints} lets
 * it hold all ranks, which after some checkpoints resume as after a restart. {@link
 * dev.braid.chaos.sim.Disturbances} has the rates of what goes wrong with checkpoints and ranks.
 *
 * <p>All randomness comes from the run's seed. A run can therefore be repeated, event by event; the
 * digest of a {@link dev.braid.chaos.sim.SimulationResult} shows whether it took the same course,
 * and a {@link dev.braid.chaos.sim.SimulationFailure} names the seed.
 *
 * <p>In the packages below this one, {@code condition} has the conditions of a run, such as links
 * and compute times, and {@code check} has the guarantees of every exchange, watched at each
 * update. {@code random}, which uses this package, draws runs under faults.
 */
package dev.braid.chaos.sim;
