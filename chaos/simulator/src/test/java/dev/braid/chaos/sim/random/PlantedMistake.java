package dev.braid.chaos.sim.random;

import static dev.braid.chaos.sim.random.FaultRunKind.AKO;
import static dev.braid.chaos.sim.random.FaultRunKind.ALL_TO_ALL;
import static dev.braid.chaos.sim.random.FaultRunKind.COMPRESSED;
import static dev.braid.chaos.sim.random.FaultRunKind.FT_TREE;
import static dev.braid.chaos.sim.random.FaultRunKind.FT_TREE_PARTED;
import static dev.braid.chaos.sim.random.FaultRunKind.PS_ASYNC;
import static dev.braid.chaos.sim.random.FaultRunKind.RING;
import static dev.braid.chaos.sim.random.FaultRunKind.SHARDED;
import static dev.braid.chaos.sim.random.FaultRunKind.TREE;

import dev.braid.chaos.sim.Tampering;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.Resume;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.vector.Slice;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.SavedVectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Mistakes that the random search has to find, each in runs of one kind. */
@SuppressWarnings("ImmutableEnumChecker") // Suppliers make a new object for each run.
enum PlantedMistake {
  /** Messages that were in flight when all ranks crashed arrive after the restore. */
  STALE_LETTERS_AFTER_A_RESTORE(RING, StaleLetters::new),

  /** Messages that rank 1 has received are not acknowledged. */
  LOST_ACKNOWLEDGEMENTS(
      TREE,
      () ->
          new Tampering() {
            @Override
            public Optional<Message> arriving(Message message, long nowNanos) {
              if (message.origin() != 1) {
                return Optional.of(message);
              }
              return message.body() instanceof LinkControl.Acknowledgement
                  ? Optional.empty()
                  : Optional.of(
                      new Message(
                          message.from(),
                          message.to(),
                          message.round(),
                          message.transit().acknowledging(0),
                          message.body()));
            }
          }),

  /** Rank 1 acknowledges one message more than has arrived. */
  ACKNOWLEDGEMENTS_TOO_EARLY(
      ALL_TO_ALL,
      () ->
          new Tampering() {
            @Override
            public Optional<Message> arriving(Message message, long nowNanos) {
              long acknowledged = message.transit().acknowledged();
              return Optional.of(
                  message.origin() != 1 || acknowledged == 0
                      ? message
                      : new Message(
                          message.from(),
                          message.to(),
                          message.round(),
                          message.transit().acknowledging(acknowledged + 1),
                          message.body()));
            }
          }),

  /** The last bit of a sum depends on when a part of it arrives at rank 0. */
  SUM_IN_ARRIVAL_ORDER(
      TREE,
      () ->
          new Tampering() {
            @Override
            public Optional<Message> arriving(Message message, long nowNanos) {
              boolean isLate = nowNanos / 1_000_000 % 4 == 3;
              return Optional.of(
                  isLate
                          && message.to() == 0
                          && message.body() instanceof Sum sum
                          && sum.kind() == Sum.Kind.PARTIAL
                      ? changed(message, Math::nextUp)
                      : message);
            }
          }),

  /** A restored rank has lost its residuals. */
  RESIDUAL_FORGOTTEN_AT_A_CHECKPOINT(COMPRESSED, () -> parts(PlantedMistake::withoutStates)),

  /** A restored rank has lost its clocks. */
  CLOCKS_FORGOTTEN_AT_A_CHECKPOINT(ALL_TO_ALL, () -> parts(PlantedMistake::withoutStates)),

  /** A checkpoint has the initial optimiser state of rank 0. */
  OPTIMISER_STATE_FORGOTTEN_AT_A_CHECKPOINT(SHARDED, () -> parts(PlantedMistake::withoutMomentum)),

  /** The model of one rank's part is restored, except its first chunk. */
  ROLL_BACK_THAT_KEEPS_A_CHUNK(RING, KeptChunk::new),

  /** A rank's part of a checkpoint is the one that it wrote for the previous checkpoint. */
  PART_OF_THE_CHECKPOINT_BEFORE(
      TREE,
      () ->
          new Tampering() {
            private final Map<Integer, byte[]> before = new HashMap<>();

            @Override
            public byte[] saved(int rank, byte[] part) {
              byte[] last = before.put(rank, part);
              return rank == 1 && last != null ? last : part;
            }
          }),

  /** A view begins one round late at the last rank. */
  VIEW_ENTERED_ONE_ROUND_LATE(
      FT_TREE_PARTED,
      () ->
          new Tampering() {
            @Override
            public Optional<ToMember> told(int rank, ToMember event) {
              if (rank == 1
                  && event instanceof ToRank said
                  && said.message() instanceof Enter enter) {
                View view = enter.view();
                return Optional.of(
                    new ToRank(
                        new Enter(
                            new View(
                                view.number(), view.members(), view.round() + 1, view.current()))));
              }
              return Optional.of(event);
            }
          }),

  /** Ranks resume independently when a checkpoint is aborted, while others are still held. */
  RESUMED_BEFORE_ALL_ARE_HELD(
      FT_TREE,
      () ->
          new Tampering() {
            @Override
            public boolean resumesAtAbort() {
              return true;
            }
          }),

  /** Rank 0 never receives the abort of a checkpoint. */
  RESUME_LOST(
      RING,
      () ->
          new Tampering() {
            @Override
            public Optional<ToMember> told(int rank, ToMember event) {
              return rank == 0 && event instanceof Resume ? Optional.empty() : Optional.of(event);
            }
          }),

  /** The coordinator never receives the event that rank 1 resumes. */
  WENT_ON_LOST(
      AKO,
      () ->
          new Tampering() {
            @Override
            public Optional<ToCoordinator> tells(int rank, ToCoordinator event) {
              return rank == 1 && event instanceof Resumed ? Optional.empty() : Optional.of(event);
            }
          }),

  /** Rank 1 is held one round too early. */
  HELD_ONE_ROUND_EARLY(
      TREE,
      () ->
          new Tampering() {
            @Override
            public Optional<ToMember> told(int rank, ToMember event) {
              return Optional.of(
                  rank == 1 && event instanceof HoldAfter hold && hold.rounds() > 0
                      ? new HoldAfter(hold.checkpoint(), hold.rounds() - 1)
                      : event);
            }
          }),

  /** Letters of rank 1 have the incarnation of a rank that has never been held. */
  INCARNATION_FORGOTTEN(
      RING,
      () ->
          new Tampering() {
            @Override
            public long incarnation(int rank, long incarnation) {
              return rank == 1 ? 0 : incarnation;
            }
          }),

  /** A restored rank skips the batch with which it should begin. */
  BATCH_SKIPPED_AFTER_A_RESTORE(
      RING,
      () ->
          new Tampering() {
            @Override
            public long firstBatch(int rank, long round) {
              return rank == 1 && round > 0 ? round + 1 : round;
            }
          }),

  /** Some steps of rank 1 are taken twice. */
  STEP_TAKEN_TWICE(PS_ASYNC, () -> port(1, 7)),

  /** The memory of a message is never released at rank 1. */
  MEMORY_KEPT(
      ALL_TO_ALL,
      () ->
          new Tampering() {
            @Override
            public Optional<Message> arriving(Message message, long nowNanos) {
              return Optional.of(message.to() == 1 ? copy(message) : message);
            }
          });

  /**
   * Maximum number of events: many times that of correct runs of these kinds, and small enough for
   * an endless run to end soon.
   */
  static final long MAX_EVENTS = 50_000;

  private final FaultRunKind kind;
  private final Supplier<Tampering> tampering;

  PlantedMistake(FaultRunKind kind, Supplier<Tampering> tampering) {
    this.kind = kind;
    this.tampering = tampering;
  }

  FaultRunKind kind() {
    return kind;
  }

  RandomFaultRun run(RunChoice choice) {
    return new RandomFaultRun(choice.withKind(kind), tampering, MAX_EVENTS);
  }

  /** Changes a number. */
  @FunctionalInterface
  private interface Change {
    float of(float value);
  }

  /** Returns the message with its first value changed, if it has values. */
  private static Message changed(Message message, Change change) {
    float[] values = message.payload().dense().toArray();
    if (values.length == 0) {
      return message;
    }
    message.release();
    values[0] = change.of(values[0]);
    return message.withPayload(Payload.of(Slice.view(values, 0, values.length)));
  }

  /** Returns the message with values that are not lent. */
  private static Message copy(Message message) {
    float[] values = message.payload().dense().toArray();
    return message.withPayload(Payload.of(Slice.view(values, 0, values.length)));
  }

  /** Letters from before a crash that arrive after it. */
  private static final class StaleLetters implements Tampering {
    private final Map<Integer, Message> last = new HashMap<>();

    @Override
    public Optional<Message> arriving(Message message, long nowNanos) {
      if (message.body() instanceof Sum) {
        last.put(message.to(), copy(message));
      }
      return Optional.of(message);
    }

    @Override
    public List<Message> leftFromBeforeCrash(int rank) {
      return Optional.ofNullable(last.remove(rank)).stream().toList();
    }
  }

  /** Changes a rank's part of a checkpoint. */
  @FunctionalInterface
  private interface PartChange {
    ReplicaPart of(ReplicaPart part);
  }

  private static Tampering parts(PartChange change) {
    return new Tampering() {
      @Override
      public byte[] saved(int rank, byte[] part) {
        return bytes(change.of(part(part)));
      }
    };
  }

  /** Restores the first elements of a part with the values of the previous checkpoint. */
  private static final class KeptChunk implements Tampering {
    private final Map<Integer, ReplicaPart> before = new HashMap<>();

    @Override
    public byte[] saved(int rank, byte[] bytes) {
      ReplicaPart part = part(bytes);
      ReplicaPart last = before.put(rank, part(bytes));
      if (last != null && rank == 0 && !part.model().range().isEmpty()) {
        part.model().values()[0][0] = last.model().values()[0][0];
      }
      return bytes(part);
    }
  }

  private static ReplicaPart part(byte[] bytes) {
    try {
      return ReplicaPart.fromBytes(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ReplicaPart part) {
    try {
      return part.toBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ReplicaPart withoutStates(ReplicaPart part) {
    return with(part, part.model().slices(), new TreeMap<>());
  }

  private static ReplicaPart withoutMomentum(ReplicaPart part) {
    List<Slice> saved = part.model().slices();
    List<Slice> forgotten =
        IntStream.range(0, saved.size())
            .mapToObj(
                vector ->
                    vector == 0 || part.role().rank() != 0
                        ? saved.get(vector)
                        : Slice.view(
                            new float[saved.get(vector).length()], 0, saved.get(vector).length()))
            .toList();
    return with(part, forgotten, part.exchangeStates());
  }

  private static ReplicaPart with(
      ReplicaPart part, List<Slice> vectors, SortedMap<String, byte[]> states) {
    return new ReplicaPart(
        part.role(),
        part.quiet(),
        part.isCurrent(),
        part.position(),
        new SavedVectors(part.model().kind(), part.model().length(), part.model().range(), vectors),
        part.sums(),
        part.optimiser(),
        states);
  }

  /** Returns a port that takes every n-th step along a gradient twice. */
  private static Tampering port(int rank, int every) {
    return new Tampering() {
      @Override
      public Port port(int ofRank, Port port) {
        return ofRank != rank
            ? port
            : new ForwardingPort(port) {
              private int steps;

              @Override
              public void update(Update update) {
                super.update(update);
                if (update instanceof Update.GradientSum && ++steps % every == 0) {
                  super.update(update);
                }
              }
            };
      }
    };
  }
}
