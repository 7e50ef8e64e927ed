package dev.braid.exchange.coded;

import dev.braid.coding.Decoding;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the children of one parent have answered in a round, chunk by chunk, until their sum follows
 * from it. What comes then, or is not needed for it, is discarded.
 */
final class ChildAnswers {

  private final int parent;
  private final Decoder decoder;
  private final int[] children;
  private final int chunks;

  /** By chunk and child: an answer that is not in a sum yet; or null. */
  private final Sum[][] waiting;

  /** By chunk: who has answered. */
  private final BitSet[] answered;

  /** By chunk: whose answers are kept. */
  private final BitSet[] kept;

  /** By child: of how many chunks an answer has come. */
  private final int[] came;

  /** Who has answered all chunks, in a decoder that asks. */
  private final BitSet whole = new BitSet();

  /** By child: when its first chunk came. */
  private final long[] beganNanos;

  /** The chunks whose sums have been taken. */
  private final BitSet taken = new BitSet();

  private final double[] weighted;
  private final AnswerFigures figures;

  /**
   * The answers of a parent's children.
   *
   * @param parent the rank, or the master that lives there
   * @param chunks of the vector
   * @param chunkLength elements of a chunk at most
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
    this.waiting = new Sum[chunks][children.length];
    this.answered = new BitSet[chunks];
    this.kept = new BitSet[chunks];
    Arrays.setAll(answered, chunk -> new BitSet());
    Arrays.setAll(kept, chunk -> new BitSet());
    this.came = new int[children.length];
    this.beganNanos = new long[children.length];
    this.weighted = new double[chunkLength];
    this.figures = figures;
  }

  /** Takes an answer, whose values are released when they are in the sum, or not needed. */
  void add(int rank, int chunk, Sum answer, long nowNanos) {
    int child = Arrays.binarySearch(children, rank);
    if (child < 0 || answered[chunk].get(child)) {
      throw new IllegalStateException(
          "an answer of rank %d over %s, which is %s"
              .formatted(rank, answer.range(), child < 0 ? "no child here" : "here already"));
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

  /** Whether it is known whose answers are in the round's sums. */
  boolean isDecided() {
    return decoder.isDecided(whole);
  }

  /** How the sum of a chunk follows from what has come, if it does and was not taken. */
  private Optional<Decoding> decoding(int chunk) {
    return taken.get(chunk) ? Optional.empty() : decoder.decoding(kept[chunk], whole);
  }

  /**
   * Writes a chunk's sum, if it follows from what has come and was not taken before.
   *
   * @return over how many samples it is; empty if it is not written
   */
  OptionalLong take(int chunk, Range range, float[] into, long nowNanos) {
    Optional<Decoding> decoding = decoding(chunk);
    if (decoding.isEmpty()) {
      return OptionalLong.empty();
    }
    write(decoding.get(), waiting[chunk], range, into);
    long samples = decoder.samples(decoding.get(), waiting[chunk]);
    taken.set(chunk);
    Sum.forget(waiting[chunk]);
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

  /** How many have not answered all chunks yet. */
  private int missing() {
    return (int) Arrays.stream(came).filter(count -> count < chunks).count();
  }

  /** In doubles where answers have coefficients, as these may cancel. */
  private void write(Decoding decoding, Sum[] answers, Range range, float[] into) {
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

  /** Whether a child's answers are in the sums, once these are taken. */
  boolean isIn(int rank) {
    return decoder.isIn(whole, Arrays.binarySearch(children, rank));
  }

  /** Begins a round, and releases what is left of the one before. */
  void clear() {
    for (int chunk = 0; chunk < chunks; chunk++) {
      Sum.forget(waiting[chunk]);
      answered[chunk].clear();
      kept[chunk].clear();
    }
    Arrays.fill(came, 0);
    whole.clear();
    taken.clear();
  }
}
