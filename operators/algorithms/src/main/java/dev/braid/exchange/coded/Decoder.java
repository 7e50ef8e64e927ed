package dev.braid.exchange.coded;

import dev.braid.coding.Decoding;
import dev.braid.coding.GradientCode;
import dev.braid.exchange.message.Coded.Answer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Decides when the children's answers suffice for their parent's sum, and how the sum is decoded.
 * Children are given by their index at the parent.
 */
sealed interface Decoder {

  /**
   * Returns whether a child's answer may be in a chunk's sum in addition to the answers that are
   * kept.
   */
  boolean isNeeded(BitSet kept, int child);

  /**
   * Returns whether it is settled which children's answers are in a round's sums.
   *
   * @param whole children that have answered all chunks
   */
  boolean isDecided(BitSet whole);

  /**
   * Returns how to decode a chunk's sum from the answers; empty while they do not suffice.
   *
   * @param kept children whose answers of the chunk are kept
   * @param whole the first children that have answered all chunks
   */
  Optional<Decoding> decoding(BitSet kept, BitSet whole);

  /** Returns the number of samples that a decoded sum covers. */
  long samples(Decoding decoding, Answer[] answers);

  /** Returns whether the sums contain a child's gradient. */
  boolean isIn(BitSet whole, int child);

  /**
   * Decodes with a gradient code. Any n − s answers suffice, and they can differ from chunk to
   * chunk. Each answer states the number of samples of the whole round.
   */
  record OfCode(GradientCode code) implements Decoder {

    /**
     * Returns whether the code needs the answer: of children that repeat each other, the first
     * answer suffices.
     */
    @Override
    public boolean isNeeded(BitSet kept, int child) {
      return code.isNeeded(kept, child);
    }

    @Override
    public boolean isDecided(BitSet whole) {
      return true;
    }

    @Override
    public Optional<Decoding> decoding(BitSet kept, BitSet whole) {
      return code.decoding(kept);
    }

    @Override
    public long samples(Decoding decoding, Answer[] answers) {
      return answers[decoding.children()[0]].samples();
    }

    /** Returns true, because other children have computed the same samples. */
    @Override
    public boolean isIn(BitSet whole, int child) {
      return true;
    }
  }

  /**
   * Adds the first {@code count} answers, in the order of the children. They are from the same
   * children in all chunks, so that it is clear whose samples are in the round.
   */
  record OfTheFirst(int count) implements Decoder {

    @Override
    public boolean isNeeded(BitSet kept, int child) {
      return true;
    }

    @Override
    public boolean isDecided(BitSet whole) {
      return whole.cardinality() >= count;
    }

    @Override
    public Optional<Decoding> decoding(BitSet kept, BitSet whole) {
      if (!isDecided(whole)) {
        return Optional.empty();
      }
      int[] children = whole.stream().toArray();
      double[] ones = new double[children.length];
      Arrays.fill(ones, 1);
      return Optional.of(new Decoding(children, ones));
    }

    @Override
    public long samples(Decoding decoding, Answer[] answers) {
      return Arrays.stream(decoding.children()).mapToLong(child -> answers[child].samples()).sum();
    }

    @Override
    public boolean isIn(BitSet whole, int child) {
      return whole.get(child);
    }
  }
}
