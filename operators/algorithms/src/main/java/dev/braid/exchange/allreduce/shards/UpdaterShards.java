package dev.braid.exchange.allreduce.shards;

import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.ShardedUpdate;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * One rank's part of the updater's state across views: its own shard, over which it takes steps,
 * and copies of other ranks' shards ({@code BackupCopy}).
 *
 * <p>An owner steps a chunk before the round is complete at all ranks. If a new view begins before
 * that, its members repeat the round, and owners undo the step: they keep the previous state, and
 * the previous weights in the array of the previous round. If some member has completed the round,
 * however, all chunks are stepped and backups have all sums, because no rank has all weights before
 * that; owners then keep the step. An excluded rank may have completed a round that no member has
 * completed; it undoes that round.
 *
 * <p>When a view begins, the state left at a rank is therefore that after the rounds with which the
 * view begins; or it is older and useless, if the rank was excluded meanwhile. Each rank gets the
 * state that it needs in the view's plan from itself, from the previous owner, or from the previous
 * backup. It contributes nothing until it has all of it. If no member has some of the state, all
 * ranks wait for a rank that has it.
 */
public final class UpdaterShards {

  /**
   * The ranks that have a shard of the updater's state in a view.
   *
   * @param range the shard
   * @param owner rank that takes the steps over it
   * @param backup rank that has a copy; equal to {@code owner} if there is none
   */
  public record ShardHolders(Range range, int owner, int backup) {

    /** Returns whether neither the owner nor the backup is present. */
    boolean areAway(IntPredicate isThere) {
      return !isThere.test(owner) && !isThere.test(backup);
    }
  }

  private static final long NONE = -1;

  private final Port port;
  private final int vectors;
  private final Range whole;
  private final ShardedUpdate update;

  /** The rank's own shard, as a range of the model. */
  private Range own;

  /** Number of completed rounds applied to the own shard, without the current round. */
  private long rounds;

  /** Number of elements of the own shard that the current round has stepped. */
  private int stepped;

  /** The own shard of the state before the last round, by vector; valid over stepped chunks. */
  private float[][] before = {};

  /** Chunks of the own shard that the last round has stepped. */
  private final List<Range> steppedChunks = new ArrayList<>();

  private long roundsBefore = NONE;
  private long stepsBefore;

  /** All weights before the current round, {@code float[length]}; empty if not known yet. */
  private float[] weightsBefore = {};

  /** Whether some weights of other shards are already those after the current round. */
  private boolean hasReplaced;

  private List<BackupCopy> backups = List.of();

  /** Holders of each shard in this view. */
  private List<ShardHolders> holders = List.of();

  /** Holders in the last view with a complete round: the only ranks with the state after that. */
  private List<ShardHolders> lastHolders = List.of();

  /** Pieces of the state at this rank when the view began, until its first round is complete. */
  private List<StatePiece> kept = List.of();

  /** State that this rank needs in this view. */
  private List<NeededState> needed = List.of();

  /**
   * Creates the shards of a rank with the whole updater's state in its model and no view yet.
   *
   * @param length number of elements of the model
   * @param rounds number of complete rounds
   */
  public UpdaterShards(int length, long rounds, Port port) {
    this.port = port;
    this.whole = Range.ofLength(length);
    this.vectors = port.model().length - 1;
    this.update = new ShardedUpdate(port);
    this.own = whole;
    this.rounds = rounds;
  }

  /** Returns the number of vectors of the updater's state. */
  public int vectors() {
    return vectors;
  }

  /** Returns the rank's own shard; empty if it has none. */
  public Range own() {
    return own;
  }

  /** Returns the number of rounds that are complete at this rank. */
  public long rounds() {
    return rounds;
  }

  // ---- views -----------------------------------------------------------------------------------

  /**
   * Begins the first view, whose whole state is in the model.
   *
   * @param shard the rank's own shard in the view
   * @param copied other ranks' shards that this rank backs up
   * @param ofAll holders of all shards in the view
   */
  public void begin(Range shard, List<ShardHolders> copied, List<ShardHolders> ofAll) {
    StatePiece all = ownPiece();
    move(rounds, shard, copied);
    holders = ofAll;
    lastHolders = ofAll;
    if (vectors > 0) {
      // The model keeps its values over the own shard.
      needed.get(0).allIsHere();
      needed.forEach(one -> one.take(all));
    }
  }

  /**
   * Enters a view other than the first.
   *
   * @param after number of complete rounds when the view begins
   * @param shard the rank's own shard in the view; empty if it is excluded, or only forwards
   * @param copied other ranks' shards that this rank backs up
   * @param ofAll holders of all shards in the view
   */
  public void enter(long after, Range shard, List<ShardHolders> copied, List<ShardHolders> ofAll) {
    kept = whatIsHere(after);
    if (rounds != after) {
      // Others have continued without this rank, which does not know their views.
      lastHolders = List.of();
    }
    holders = ofAll;
    move(after, shard, copied);
    needed.forEach(one -> kept.forEach(one::take));
  }

  private void move(long after, Range shard, List<ShardHolders> copied) {
    own = shard;
    rounds = after;
    before = new float[0][];
    steppedChunks.clear();
    roundsBefore = NONE;
    weightsBefore = new float[0];
    hasReplaced = false;
    port.serve(own, port.views().steps());
    backups = vectors == 0 ? List.of() : copied.stream().map(this::backup).toList();
    needed = vectors == 0 ? List.of() : needed(after);
  }

  private BackupCopy backup(ShardHolders of) {
    return new BackupCopy(of.owner(), of.range(), vectors, port.remembering(of.range()));
  }

  private List<StatePiece> whatIsHere(long after) {
    boolean wasReady = isReady();
    List<StatePiece> old = rounds == after ? kept : List.of();
    List<StatePiece> pieces = new ArrayList<>();
    boolean isRight = standAt(after);
    if (!wasReady && isRight) {
      needed.forEach(one -> one.pieces().forEach(piece -> addNew(piece, pieces)));
    } else if (wasReady) {
      if (isRight && !own.isEmpty()) {
        pieces.add(ownPiece());
      }
      backups.stream()
          .filter(backup -> backup.has(after))
          .forEach(backup -> addNew(backup.piece(after), pieces));
    }
    old.forEach(piece -> addNew(piece, pieces));
    return pieces;
  }

  /** Adds the part of a piece that no other piece covers; overlapping pieces have equal values. */
  private static void addNew(StatePiece piece, List<StatePiece> pieces) {
    List<Range> gaps = List.of(piece.range());
    for (StatePiece other : pieces) {
      gaps = gaps.stream().flatMap(gap -> without(gap, other.range())).toList();
    }
    gaps.forEach(gap -> pieces.add(piece.over(gap)));
  }

  private static Stream<Range> without(Range range, Range other) {
    Range both = range.common(other);
    return both.isEmpty()
        ? Stream.of(range)
        : Stream.of(new Range(range.start(), both.start()), new Range(both.end(), range.end()))
            .filter(part -> !part.isEmpty());
  }

  /** Brings the own shard to the state after this number of rounds; returns false if it cannot. */
  private boolean standAt(long after) {
    if (stepped > 0 && stepped == own.length() && after == rounds + 1) {
      stepped = 0;
      rounds = after;
      // Some member has completed the round in that view.
      lastHolders = holders;
      return true;
    }
    rollBack();
    if (after == rounds - 1 && after == roundsBefore) {
      // Only the state is restored: this rank gets the weights as a copy from a member.
      restoreState();
      rounds = after;
    }
    return rounds == after;
  }

  private StatePiece ownPiece() {
    float[][] state = new float[vectors][];
    Arrays.setAll(state, i -> port.model()[i + 1].clone());
    return new StatePiece(own, state);
  }

  private List<NeededState> needed(long after) {
    List<NeededState> all = new ArrayList<>();
    all.add(new NeededState(own, vectors, new OfModel()));
    backups.forEach(
        backup -> all.add(new NeededState(backup.range(), vectors, backup.begin(after))));
    return all;
  }

  /** Store that writes the updater's state into the model. */
  private final class OfModel implements NeededState.Store {
    @Override
    public void write(int vector, Range part, Slice values) {
      port.update(new Update.Replacement(vector + 1, part, values));
    }

    @Override
    public float[][] values() {
      return Arrays.copyOfRange(port.model(), 1, vectors + 1);
    }
  }

  /** Returns whether the rank has all the state that it needs in this view. */
  public boolean isReady() {
    return needed.stream().allMatch(NeededState::isComplete);
  }

  /** Returns the needed ranges of which some state is missing. */
  public List<Range> lacking() {
    return needed.stream().filter(one -> !one.isComplete()).map(NeededState::range).toList();
  }

  /**
   * Returns holders outside the view of state that this rank lacks and no other rank has. For each
   * entry one of the two ranks must rejoin.
   *
   * @param isThere whether a rank is in the view
   */
  public List<ShardHolders> awaited(IntPredicate isThere) {
    return lastHolders.stream()
        .filter(of -> of.areAway(isThere))
        .filter(of -> needed.stream().anyMatch(one -> one.lacks(of.range())))
        .toList();
  }

  /**
   * Takes another rank's values of one vector over a part.
   *
   * @param vector index of the vector, from 0
   * @throws IllegalArgumentException if there is no such vector
   */
  public void take(int vector, Range part, Slice values) {
    if (vector >= vectors) {
      throw new IllegalArgumentException(
          "vector %d of the updater's state: must be less than %d".formatted(vector, vectors));
    }
    needed.stream().filter(one -> !one.isComplete()).forEach(one -> one.take(vector, part, values));
  }

  /** Returns the pieces at this rank that overlap a range, to be sent to another rank. */
  public List<StatePiece> pieces(Range range) {
    return kept.stream().filter(piece -> piece.range().overlaps(range)).toList();
  }

  // ---- rounds ----------------------------------------------------------------------------------

  /** Prepares for the next round: records the number of steps and the weights before it. */
  public void contribute() {
    stepsBefore = port.views().steps();
    if (weightsBefore.length == 0) {
      weightsBefore = port.model()[0].clone();
    }
  }

  /** Takes the step over a chunk of the own shard. */
  public void step(Range chunk, float[] sums, long samples) {
    if (stepped == 0) {
      roundsBefore = rounds;
      steppedChunks.clear();
    }
    keepBefore(chunk);
    stepped += chunk.length();
    update.step(chunk, Slice.view(sums, chunk), samples);
  }

  /** Saves the state over a chunk just before its step, which then finds it in the CPU cache. */
  private void keepBefore(Range chunk) {
    if (before.length == 0) {
      before = new float[vectors][own.length()];
    }
    int at = chunk.start() - own.start();
    float[][] model = port.model();
    for (int vector = 0; vector < vectors; vector++) {
      System.arraycopy(model[vector + 1], at, before[vector], at, chunk.length());
    }
    steppedChunks.add(chunk);
  }

  /** Overwrites the sum over a stepped chunk with the chunk's weights. */
  public void writeWeights(Range chunk, float[] sums) {
    System.arraycopy(port.model()[0], chunk.start(), sums, chunk.start(), chunk.length());
  }

  /**
   * Keeps the sum along which another rank takes its step, over a chunk of its shard.
   *
   * @param sum sum of the current round over the chunk
   * @throws IllegalArgumentException if this rank does not back up the chunk
   */
  public void keep(int owner, Range chunk, Payload sum, long samples) {
    BackupCopy.Round round = new BackupCopy.Round(rounds, stepsBefore);
    backups.stream()
        .filter(backup -> backup.owner() == owner && backup.range().contains(chunk))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "sum of rank %d over %s: this rank has no copy of it".formatted(owner, chunk)))
        .take(chunk, sum, samples, round);
  }

  /** Takes the new weights over a chunk; the model already has those of the own shard. */
  public void replace(Range chunk, float[] weights) {
    if (!own.contains(chunk)) {
      hasReplaced = true;
      port.update(new Update.Replacement(0, chunk, Slice.view(weights, chunk)));
    }
  }

  /**
   * Completes a round at this rank.
   *
   * @param nowRounds number of complete rounds
   * @param weights weights of all shards, {@code float[length]}, which must not change until the
   *     next round is complete; empty if no rank had a sample
   */
  public void complete(long nowRounds, float[] weights) {
    if (weights.length > 0) {
      port.serve(own, stepsBefore + 1);
    }
    weightsBefore = weights;
    hasReplaced = false;
    stepped = 0;
    rounds = nowRounds;
    // All ranks have the state that they need.
    kept = List.of();
    needed = List.of();
    lastHolders = holders;
  }

  /** Undoes the changes of the current round, and discards its data. */
  public void rollBack() {
    if (stepped > 0 || hasReplaced) {
      port.update(new Update.Replacement(0, whole, Slice.view(weightsBefore, whole)));
      hasReplaced = false;
    }
    if (stepped > 0) {
      restoreState();
    }
    backups.forEach(BackupCopy::rollBack);
  }

  private void restoreState() {
    stepped = 0;
    for (Range chunk : steppedChunks) {
      for (int vector = 0; vector < vectors; vector++) {
        Slice values = Slice.view(before[vector], chunk.start() - own.start(), chunk.length());
        port.update(new Update.Replacement(vector + 1, chunk, values));
      }
    }
    port.serve(own, stepsBefore);
  }
}
