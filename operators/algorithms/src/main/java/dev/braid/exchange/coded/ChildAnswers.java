package dev.braid.exchange.coded;

import dev.braid.coding.Decoding;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Coded.Answer;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The answers of one parent's children in a round, collected by chunk until they suffice to decode
 * the chunk's sum. Answers that arrive later, or that decoding does not need, are discarded.
 */
final class ChildAnswers {

  private final int parent;
  private final Decoder decoder;
  private final int[] children;
  private final int chunks;

  /** By chunk and child: an answer that is not in a sum yet, or null. */
  private final Answer[][] waiting;

  /** By chunk: the children that have answered. */
  private final BitSet[] answered;

  /** By chunk: the children whose answers are kept for decoding. */
  private final BitSet[] kept;

  /** By child: number of chunks that have arrived. */
  private final int[] came;

  /** Children that have answered all chunks, as long as the decoder is undecided. */
  private final BitSet whole = new BitSet();

  /** By child: arrival time of its first chunk in this round, in nanoseconds. */
  private final long[] beganNanos;

  /** Chunks whose sums have been taken. */
  private final BitSet taken = new BitSet();

  private final double[] weighted;
  private final AnswerFigures figures;

  /**
   * Creates an empty collection for the answers to one parent.
   *
   * @param parent a rank, or {@code RegularTree.MASTER}
   * @param children ranks of the children, ascending
   * @param chunks number of chunks of the vector
   * @param chunkLength maximum number of elements in a chunk
   */
  ChildAnswers(
      int parent,
      Decoder decoder,
      int[] children,
      int chunks,
      int chunkLength,
      AnswerFigures figures) {
    this.parent = parent;
    this.decoder = decoder;
    this.children = children;
    this.chunks = chunks;
    this.waiting = new Answer[chunks][children.length];
    this.answered = new BitSet[chunks];
    this.kept = new BitSet[chunks];
    Arrays.setAll(answered, chunk -> new BitSet());
    Arrays.setAll(kept, chunk -> new BitSet());
    this.came = new int[children.length];
    this.beganNanos = new long[children.length];
    this.weighted = new double[chunkLength];
    this.figures = figures;
  }

  /**
   * Adds one chunk of a child's answer. Its values are released as soon as they are in the sum, or
   * at once if they are not needed.
   *
   * @throws IllegalStateException if the rank is no child of the parent, or has already answered
   *     this chunk
   */
  void add(int rank, int chunk, Answer answer, long nowNanos) {
    int child = Arrays.binarySearch(children, rank);
    if (child < 0 || answered[chunk].get(child)) {
      throw new IllegalStateException(
          "answer of rank %d over %s: %s"
              .formatted(
                  rank,
                  answer.range(),
                  child < 0 ? "the rank is not a child" : "it is a duplicate"));
    }
    boolean isNeeded = !taken.get(chunk) && decoder.isNeeded(kept[chunk], child);
    answered[chunk].set(child);
    if (came[child] == 0) {
      beganNanos[child] = nowNanos;
    }
    if (++came[child] == chunks) {
      figures.came(chunks, nowNanos - beganNanos[child]);
      if (!isDecided()) {
        whole.set(child);
      }
    }
    if (isNeeded) {
      waiting[chunk][child] = answer;
      kept[chunk].set(child);
    } else {
      figures.isLate();
      answer.payload().release();
    }
  }

  /** Returns whether it is settled which children's answers are in the round's sums. */
  boolean isDecided() {
    return decoder.isDecided(whole);
  }

  /**
   * Returns how to decode a chunk's sum from the answers that have arrived; empty if they do not
   * suffice or the sum has been taken.
   */
  private Optional<Decoding> decoding(int chunk) {
    return taken.get(chunk) ? Optional.empty() : decoder.decoding(kept[chunk], whole);
  }

  /**
   * Writes a chunk's sum into {@code into}, if the answers suffice and it has not been taken
   * before.
   *
   * @param range the chunk's elements of the vector
   * @param into the vector, {@code float[length]}
   * @return the number of samples that the sum covers; empty if nothing was written
   */
  OptionalLong take(int chunk, Range range, float[] into, long nowNanos) {
    Optional<Decoding> decoding = decoding(chunk);
    if (decoding.isEmpty()) {
      return OptionalLong.empty();
    }
    write(decoding.get(), waiting[chunk], range, into);
    long samples = decoder.samples(decoding.get(), waiting[chunk]);
    taken.set(chunk);
    Body.OverRange.forget(waiting[chunk]);
    if (taken.cardinality() == chunks) {
      figures.summed(parent, setOf(decoding.get()), missing(), nowNanos);
    }
    return OptionalLong.of(samples);
  }

  private static BitSet setOf(Decoding decoding) {
    BitSet set = new BitSet();
    Arrays.stream(decoding.children()).forEach(set::set);
    return set;
  }

  /** Returns the number of children that have not answered all chunks yet. */
  private int missing() {
    return (int) Arrays.stream(came).filter(count -> count < chunks).count();
  }

  /**
   * Writes a chunk's sum. Answers with coefficients are added in doubles, because they may cancel.
   */
  private void write(Decoding decoding, Answer[] answers, Range range, float[] into) {
    int[] order = decoding.children();
    if (decoding.isPlain()) {
      for (int i = 0; i < order.length; i++) {
        if (i == 0) {
          answers[order[i]].payload().copyTo(into, range.start());
        } else {
          answers[order[i]].payload().addTo(into, range.start());
        }
      }
      return;
    }
    Arrays.fill(weighted, 0, range.length(), 0);
    for (int i = 0; i < order.length; i++) {
      add(answers[order[i]].payload().dense(), decoding.coefficients()[i]);
    }
    for (int i = 0; i < range.length(); i++) {
      into[range.start() + i] = (float) weighted[i];
    }
  }

  private void add(Slice values, double coefficient) {
    float[] array = values.array();
    int offset = values.offset();
    for (int i = 0; i < values.length(); i++) {
      weighted[i] += coefficient * array[offset + i];
    }
  }

  /** Returns whether the sums contain a child's answers. Valid once the sums have been taken. */
  boolean isIn(int rank) {
    return decoder.isIn(whole, Arrays.binarySearch(children, rank));
  }

  /** Begins a round and releases the answers that are left of the previous one. */
  void clear() {
    for (int chunk = 0; chunk < chunks; chunk++) {
      Body.OverRange.forget(waiting[chunk]);
      answered[chunk].clear();
      kept[chunk].clear();
    }
    Arrays.fill(came, 0);
    whole.clear();
    taken.clear();
  }
}
