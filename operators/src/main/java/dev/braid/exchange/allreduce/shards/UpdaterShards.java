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
 * What one rank has of the updater's state, from view to view: its own shard, which it takes the
 * steps over, and copies of others' ({@code BackupCopy}).
 *
 * <p>A chunk is stepped before the round is complete for all. Where a new view begins before that,
 * its members do the round again, and owners take the step back: they have the state as it was
 * before, and the weights in the array of the round before. Or some member has completed the round:
 * then all chunks are stepped, and backups have all sums, as nobody has all weights before that;
 * owners leave it so. A rank that is left out may have completed a round that no member has, and
 * takes that back.
 *
 * <p>So when a view begins, what is left here is as it is after the rounds with which the view
 * begins; or it is older, of a rank that was left out meanwhile, and of no use. Of that each rank
 * gets what it has to have in the view's plan: from itself, from who had it, or from who had the
 * copy. Until it has all, it contributes nothing: where nobody has some of it, all wait for a rank
 * that has.
 */
public final class UpdaterShards {

  private static final long NONE = -1;

  private final Port port;
  private final int vectors;
  private final Range whole;
  private final ShardedUpdate update;

  /** The rank's own shard, as a range of the model. */
  private Range own;

  /** After how many rounds the own shard stands, but for the round under way. */
  private long rounds;

  /** Elements of the own shard that the round under way has stepped. */
  private int stepped;

  /** The own shard of the state, chunk by chunk before the last round that has stepped it. */
  private float[][] before = {};

  /** Those of them that are stepped. */
  private final List<Range> steppedChunks = new ArrayList<>();

  private long roundsBefore = NONE;
  private long stepsBefore;

  /** All weights before the round under way; or nothing, where that is not known yet. */
  private float[] weightsBefore = {};

  /** Some weights of other shards are those after the round under way. */
  private boolean hasReplaced;

  private List<BackupCopy> backups = List.of();

  /** Who has which shard in this view. */
  private List<ShardHolders> holders = List.of();

  /** The same of the last view in which a round was complete: nobody else has it in a later one. */
  private List<ShardHolders> lastHolders = List.of();

  /** What was here when the view began; until its first round is complete. */
  private List<StatePiece> kept = List.of();

  /** What has to be here in this view. */
  private List<NeededState> needed = List.of();

  /**
   * Of a rank that has all of the updater's state in its model, and no view yet.
   *
   * @param length of the model
   * @param rounds how many are complete
   */
  public UpdaterShards(int length, long rounds, Port port) {
    this.port = port;
    this.whole = Range.ofLength(length);
    this.vectors = port.model().length - 1;
    this.update = new ShardedUpdate(port);
    this.own = whole;
    this.rounds = rounds;
  }

  /** How many vectors the updater's state has. */
  public int vectors() {
    return vectors;
  }

  /** The rank's own shard; empty if it has none. */
  public Range own() {
    return own;
  }

  /** How many rounds are complete here. */
  public long rounds() {
    return rounds;
  }

  // ---- views -----------------------------------------------------------------------------------

  /**
   * The first view begins, for which the model has all.
   *
   * @param shard the rank's own in it
   * @param copied others' shards of which it is to have a copy
   * @param ofAll who has which shard in it
   */
  public void begin(Range shard, List<ShardHolders> copied, List<ShardHolders> ofAll) {
    StatePiece all = ownPiece();
    move(rounds, shard, copied);
    holders = ofAll;
    lastHolders = ofAll;
    if (vectors > 0) {
      // What the model has of its own shard it keeps.
      needed.get(0).allIsHere();
      needed.forEach(one -> one.take(all));
    }
  }

  /**
   * A view begins.
   *
   * @param after how many rounds are complete then
   * @param shard the rank's own in it; empty if it is left out, or only forwards
   * @param copied others' shards of which it is to have a copy
   * @param ofAll who has which shard in it
   */
  public void enter(long after, Range shard, List<ShardHolders> copied, List<ShardHolders> ofAll) {
    kept = whatIsHere(after);
    if (rounds != after) {
      // Others have gone on without this rank, and it does not know how.
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

  /** Adds what no other piece has: all are after as many rounds, and say the same. */
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

  /** Brings the own shard to where so many rounds are complete; false if it is older. */
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
      // The weights are those that members have a copy of.
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

  /** The updater's state in the model. */
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

  /** Whether the rank has all that it has to have in this view. */
  public boolean isReady() {
    return needed.stream().allMatch(NeededState::isComplete);
  }

  /** Ranges of which it lacks something. */
  public List<Range> lacking() {
    return needed.stream().filter(one -> !one.isComplete()).map(NeededState::range).toList();
  }

  /**
   * Who alone has something that this rank lacks, and is not in the view: of each it is enough that
   * one of them comes back.
   *
   * @param isThere who is in the view
   */
  public List<ShardHolders> awaited(IntPredicate isThere) {
    return lastHolders.stream()
        .filter(of -> of.areAway(isThere))
        .filter(of -> needed.stream().anyMatch(one -> one.lacks(of.range())))
        .toList();
  }

  /** What another rank has of one of the vectors. */
  public void take(int vector, Range part, Slice values) {
    if (vector >= vectors) {
      throw new IllegalArgumentException(
          "vector %d of the updater's state: must be less than %d".formatted(vector, vectors));
    }
    needed.stream().filter(one -> !one.isComplete()).forEach(one -> one.take(vector, part, values));
  }

  /** What another rank may have of a range. */
  public List<StatePiece> pieces(Range range) {
    return kept.stream().filter(piece -> piece.range().overlaps(range)).toList();
  }

  // ---- rounds ----------------------------------------------------------------------------------

  /** The rank contributes to the next round. */
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

  /** Just before the step, which then finds it in the cache. */
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

  /** Writes the weights over a chunk that is stepped in the sum's place. */
  public void writeWeights(Range chunk, float[] sums) {
    System.arraycopy(port.model()[0], chunk.start(), sums, chunk.start(), chunk.length());
  }

  /**
   * Keeps what another rank takes its step along, over a chunk of its shard.
   *
   * @param sum of the round under way
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

  /** The weights over a chunk have come: those of the own shard are in the model. */
  public void replace(Range chunk, float[] weights) {
    if (!own.contains(chunk)) {
      hasReplaced = true;
      port.update(new Update.Replacement(0, chunk, Slice.view(weights, chunk)));
    }
  }

  /**
   * A round is complete at this rank.
   *
   * @param nowRounds how many are
   * @param weights of all shards, which stay as they are until the next round is complete; empty
   *     where no rank had a sample
   */
  public void complete(long nowRounds, float[] weights) {
    if (weights.length > 0) {
      port.serve(own, stepsBefore + 1);
    }
    weightsBefore = weights;
    hasReplaced = false;
    stepped = 0;
    rounds = nowRounds;
    // All ranks have what they need.
    kept = List.of();
    needed = List.of();
    lastHolders = holders;
  }

  /** Takes back what the round under way has changed, and forgets what has come of it. */
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
