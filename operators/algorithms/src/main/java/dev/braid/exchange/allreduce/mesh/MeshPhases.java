package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.Allreduce.Phases;
import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.ReadyChunks;
import dev.braid.exchange.collective.RingAllGather;
import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One rank's part of a {@link MeshPlan}: its operations, each of which passes finished chunks to
 * the next, so that stages overlap.
 *
 * <pre>
 *   own gradient ──▶ stage 0 ──▶ stage 1 ──▶ … ┐   sums of more and more ranks
 *                                              │   sum of all ranks
 *   whole sum   ◀── stage 0 ◀── stage 1 ◀── … ◀┘   larger and larger parts of that sum
 * </pre>
 */
final class MeshPhases {

  private final int rank;
  private final Communicator all;
  private final float[] sums;
  private final float[] partials;
  private final AtTheSum atTheSum;
  private final Completion completion;
  private final List<Collective> operations;

  /** Receiver of this rank's values at the beginning of a stage, part by part. */
  @FunctionalInterface
  private interface Input {
    void offer(float[] values, Range part, long samples);
  }

  /** Processing of the sum of all ranks before other ranks get it. */
  @FunctionalInterface
  interface AtTheSum {

    /**
     * Processes the complete sum over a chunk.
     *
     * @param next must be called for the chunk, at once or later; all ranks get the values that are
     *     in the array of sums at that time
     */
    void summed(Range chunk, long samples, Completion next);
  }

  /** This rank's part of a stage. */
  private interface Part {

    /** Returns the receiver of finished chunks of the part whose sum this rank has. */
    Completion finished();

    /** Returns the receiver of this rank's values; the stage calls {@code summed} per chunk. */
    Input input(Completion summed);
  }

  private MeshPhases(
      MeshPlan plan,
      int rank,
      Communicator all,
      float[] sums,
      float[] partials,
      AtTheSum atTheSum,
      Completion completion) {
    this.rank = rank;
    this.all = all;
    this.sums = sums;
    this.partials = partials;
    this.atTheSum = atTheSum;
    this.completion = completion;
    this.operations = new ArrayList<>(Collections.nCopies(plan.phases(), MeshPhases::refuse));
  }

  private static void refuse(int from, Sum sum) {
    throw new IllegalArgumentException(
        "sum from rank "
            + from
            + " in phase "
            + sum.phase()
            + ": this rank does not take part in this phase");
  }

  /**
   * Creates the operations of a rank that takes part in the plan.
   *
   * @param all communicator of all ranks
   * @param sums output: receives the sum, {@code float[length]}
   * @param partials memory for partial sums, {@code float[length]}
   * @param completion called for each finished chunk of the sum
   */
  static Phases of(
      MeshPlan plan, Communicator all, float[] sums, float[] partials, Completion completion) {
    return of(
        plan,
        all,
        sums,
        partials,
        (chunk, samples, next) -> next.complete(chunk, samples),
        completion);
  }

  /**
   * Creates the operations of a rank that processes its sums before other ranks get them.
   *
   * @param all communicator of all ranks
   * @param sums output: receives the sum, {@code float[length]}
   * @param partials memory for partial sums, {@code float[length]}
   * @param atTheSum called for each chunk for which this rank has the sum of all ranks
   * @param completion called for each finished chunk
   */
  static Phases of(
      MeshPlan plan,
      Communicator all,
      float[] sums,
      float[] partials,
      AtTheSum atTheSum,
      Completion completion) {
    MeshPhases phases = new MeshPhases(plan, all.rank(), all, sums, partials, atTheSum, completion);
    List<Input> inputs = new ArrayList<>();
    List<Range> ranges = new ArrayList<>();
    int phase = 0;
    for (Colour colour : plan.colours()) {
      inputs.add(phases.input(colour, phase));
      ranges.add(colour.range());
      phase += 2 * colour.stages().size();
    }
    return new Phases(
        (gradient, samples) -> {
          for (int i = 0; i < inputs.size(); i++) {
            inputs.get(i).offer(gradient, ranges.get(i), samples);
          }
        },
        phases.operations);
  }

  /** Connects the parts of a colour: those on the way back, then those on the way to the sum. */
  private Input input(Colour colour, int phase) {
    List<Part> parts = new ArrayList<>();
    Completion finished = completion;
    int stages = colour.stages().size();
    for (int i = 0; i < stages; i++) {
      Optional<Part> part = part(colour.stages().get(i), phase + i, phase + stages + i, finished);
      if (part.isPresent()) {
        parts.add(part.get());
        finished = part.get().finished();
      }
    }
    Completion back = finished;
    Completion next = (chunk, samples) -> atTheSum.summed(chunk, samples, back);
    for (int i = parts.size() - 1; i > 0; i--) {
      Input input = parts.get(i).input(next);
      next = (range, samples) -> input.offer(sums, range, samples);
    }
    return parts.get(0).input(next);
  }

  private Optional<Part> part(MeshStage stage, int up, int down, Completion below) {
    if (stage instanceof Rings rings) {
      return rings.rings().stream()
          .filter(ring -> ring.members().contains(rank))
          .findFirst()
          .map(ring -> new InRing(ring, up, down, below));
    }
    Forwards forwards = (Forwards) stage;
    if (!forwards.from(rank).isEmpty()) {
      return Optional.of(new AsGuest(forwards, up, down, below));
    }
    return forwards.to(rank).isEmpty()
        ? Optional.empty()
        : Optional.of(new AsHost(forwards, up, down, below));
  }

  private Communicator among(Stream<Integer> members, int phase) {
    return all.among(phase, members.mapToInt(Integer::intValue).toArray());
  }

  /** Part of a rank in a ring: reduce-scatter, and later all-gather. */
  private final class InRing implements Part {
    private final MemberRing ring;
    private final int up;
    private final Communicator among;
    private final Completion finished;

    InRing(MemberRing ring, int up, int down, Completion below) {
      this.ring = ring;
      this.up = up;
      this.among = among(ring.members().stream(), up);
      RingAllGather gather = new RingAllGather(among.inPhase(down), ring.range(), sums, below);
      operations.set(down, gather);
      this.finished = below.andThen(gather::publish);
    }

    @Override
    public Completion finished() {
      return finished;
    }

    @Override
    public Input input(Completion summed) {
      RingReduceScatter scatter =
          new RingReduceScatter(among, ring.range(), sums, partials, summed);
      operations.set(up, scatter);
      return scatter::offer;
    }
  }

  /** Part of a guest: forwards its values, and later gets the finished sum. */
  private final class AsGuest implements Part {
    private final GuestSums guest;

    AsGuest(Forwards stage, int up, int down, Completion below) {
      Stream<Integer> hosts = stage.from(rank).stream().map(Forward::host);
      this.guest =
          new GuestSums(among(Stream.concat(Stream.of(rank), hosts), up), stage, sums, below);
      operations.set(down, guest);
    }

    @Override
    public Completion finished() {
      return (range, samples) -> {
        throw new IllegalStateException(
            "rank " + rank + " is a guest: it must not complete the sum of " + range);
      };
    }

    @Override
    public Input input(Completion summed) {
      return guest::offer;
    }
  }

  /** Part of a host: adds its guests' values, and later sends finished sums to them. */
  private final class AsHost implements Part {
    private final List<Forward> forwards;
    private final ReadyChunks chunks;
    private final int up;
    private final Completion below;
    private final Communicator back;

    AsHost(Forwards stage, int up, int down, Completion below) {
      this.forwards = stage.to(rank);
      this.chunks = new ReadyChunks(stage.chunks(rank, all.chunkLength()));
      this.up = up;
      this.below = below;
      Stream<Integer> guests = forwards.stream().map(Forward::guest);
      this.back = among(Stream.concat(Stream.of(rank), guests), down);
    }

    @Override
    public Completion finished() {
      return below.andThen(this::sendBack);
    }

    private void sendBack(Range finished, long samples) {
      for (int i = 0; i < forwards.size(); i++) {
        for (Range piece : forwards.get(i).pieces()) {
          Range both = piece.common(finished);
          if (!both.isEmpty()) {
            back.handFinished(i + 1, both, samples, sums);
          }
        }
      }
    }

    @Override
    public Input input(Completion summed) {
      HostSums host = new HostSums(chunks, forwards, sums, summed);
      operations.set(up, host);
      return host::offer;
    }
  }
}
