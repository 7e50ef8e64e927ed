package dev.braid.exchange.coded;

import dev.braid.coding.Decoding;
import dev.braid.coding.GradientCode;
import dev.braid.exchange.message.Sum;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/** When the sum of a parent's children follows from their answers, and how. */
sealed interface Decoder {

  /** Whether an answer of this child may be in the sum of a chunk, beside those that are kept. */
  boolean isNeeded(BitSet kept, int child);

  /** Whether it is known whose answers are in a round's sums. */
  boolean isDecided(BitSet whole);

  /**
   * How the sum of a chunk follows from the answers; empty while it does not.
   *
   * @param kept whose answers of the chunk there are
   * @param whole the first of those who have answered all chunks
   */
  Optional<Decoding> decoding(BitSet kept, BitSet whole);

  /** How many samples such a sum is over. */
  long samples(Decoding decoding, Sum[] answers);

  /** Whether the sums have a child's answers in them. */
  boolean isIn(BitSet whole, int child);

  /**
   * By a code: any n − s answers will do, which may be others in each chunk. All answers say how
   * many samples the whole round has.
   */
  record OfCode(GradientCode code) implements Decoder {

    /** Of children who repeat each other the first answer is enough. */
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
    public long samples(Decoding decoding, Sum[] answers) {
      return answers[decoding.children()[0]].samples();
    }

    /** As others have computed the same samples. */
    @Override
    public boolean isIn(BitSet whole, int child) {
      return true;
    }
  }

  /**
   * The sum of the first so many answers, in the order of the children: the same children in all
   * chunks, so that it is clear whose samples are in the round.
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
    public long samples(Decoding decoding, Sum[] answers) {
      return Arrays.stream(decoding.children()).mapToLong(child -> answers[child].samples()).sum();
    }

    @Override
    public boolean isIn(BitSet whole, int child) {
      return whole.get(child);
    }
  }
}
