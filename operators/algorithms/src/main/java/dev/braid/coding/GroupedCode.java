package dev.braid.coding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Repetition among as many children as possible and a cyclic code among the rest, for n that s + 1
 * does not divide. The children form ⌊n/(s + 1)⌋ groups, and each group's share of the parts equals
 * its share of the children. All groups except the last have s + 1 members. Each member computes
 * all of its group's parts, so that one answer suffices. The last group has the remaining s + 2 to
 * 2s + 1 children and a {@link CyclicCode} for its parts. Since any s children of each group may be
 * late, any s of all children may be late. Each child has s + 1 of n parts, no more than with a
 * cyclic code of all n.
 *
 * <p>The magnification of rounding errors depends on s and not on n. For example, a parent with s =
 * 2 has a cyclic code of 4 or 5 children, and adds the answers of the others without coefficients.
 * Errors grow at most 3-, 5-, 24-, 24- and 500-fold for s = 1 to 5, regardless of stragglers. If
 * several stragglers are in the same group, fewer than n − s answers can suffice.
 *
 * <p>Children with adjacent numbers, which may share a machine, are in different groups, except for
 * the last members of the last group.
 */
public final class GroupedCode implements GradientCode {

  private final int children;
  private final int stragglers;
  private final int groups;

  /**
   * Number of children that are assigned to the groups in turns; the others are in the last group.
   */
  private final int taking;

  /** Code of the last group. */
  private final CyclicCode last;

  /**
   * Creates the code.
   *
   * @throws IllegalArgumentException if there are fewer than two groups, or s + 1 divides n
   */
  public GroupedCode(int children, int stragglers) {
    this.children = children;
    this.stragglers = stragglers;
    int size = stragglers + 1;
    if (stragglers < 1 || children < 2 * (long) size || children % size == 0) {
      throw new IllegalArgumentException(
          ("%d children (n) and %d stragglers (s): n must be at least 2(s + 1) and no multiple of "
                  + "s + 1")
              .formatted(children, stragglers));
    }
    this.groups = children / size;
    this.taking = groups * size;
    this.last = new CyclicCode(size + children - taking, stragglers);
  }

  @Override
  public int children() {
    return children;
  }

  @Override
  public int stragglers() {
    return stragglers;
  }

  @Override
  public int groups() {
    return groups;
  }

  @Override
  public int group(int child) {
    return child < taking ? child % groups : groups - 1;
  }

  @Override
  public int needed(int group) {
    return group < groups - 1 ? 1 : last.needed(0);
  }

  @Override
  public int cyclicChildren() {
    return last.children();
  }

  private boolean isInLast(int child) {
    return group(child) == groups - 1;
  }

  /** Returns the index of a child within the last group. */
  private int member(int child) {
    return child < taking ? child / groups : stragglers + 1 + child - taking;
  }

  private int childOfLast(int member) {
    return member <= stragglers ? member * groups + groups - 1 : taking + member - stragglers - 1;
  }

  private int firstPart(int group) {
    return group * (stragglers + 1);
  }

  @Override
  public boolean has(int child, int part) {
    int inGroup = part - firstPart(group(child));
    if (inGroup < 0) {
      return false;
    }
    return isInLast(child) ? last.has(member(child), inGroup) : inGroup <= stragglers;
  }

  @Override
  public double coefficient(int child, int part) {
    if (!has(child, part)) {
      return 0;
    }
    return isInLast(child) ? last.coefficient(member(child), part - firstPart(groups - 1)) : 1;
  }

  /**
   * Returns the first sample of a part. Samples are divided among the groups first, so that the
   * children of all groups get equally many.
   */
  @Override
  public int boundary(int samples, int part) {
    int ofLast = samplesOfLast(samples);
    int ofOthers = samples - ofLast;
    int group = part / (stragglers + 1);
    if (group >= groups - 1) {
      return ofOthers + last.boundary(ofLast, part - firstPart(groups - 1));
    }
    long start = (long) ofOthers * group / (groups - 1);
    long end = (long) ofOthers * (group + 1) / (groups - 1);
    return (int) (start + (end - start) * (part - firstPart(group)) / (stragglers + 1));
  }

  /**
   * Returns the last group's share of the samples. It is rounded up, unless a member would then get
   * more samples than a child of another group.
   */
  private int samplesOfLast(int samples) {
    long ofEach = stragglers + 1L;
    long most = -Math.floorDiv(-samples * ofEach, (long) children);
    long up = -Math.floorDiv(-(long) samples * last.children(), (long) children);
    return (int)
        (up * ofEach <= most * last.children() ? up : (long) samples * last.children() / children);
  }

  @Override
  public Optional<Decoding> decoding(BitSet answered) {
    if (!isDecodable(answered)) {
      return Optional.empty();
    }
    Decoding ofLast = last.decoding(members(answered)).orElseThrow();
    int others = groups - 1;
    int[] taken = new int[others + ofLast.size()];
    double[] coefficients = new double[taken.length];
    Arrays.fill(coefficients, 0, others, 1);
    for (int group = 0; group < others; group++) {
      taken[group] = RepetitionCode.first(group, groups, answered);
    }
    for (int i = 0; i < ofLast.size(); i++) {
      taken[others + i] = childOfLast(ofLast.children()[i]);
      coefficients[others + i] = ofLast.coefficients()[i];
    }
    return Optional.of(new Decoding(taken, coefficients));
  }

  /**
   * Returns how much decoding from these answers magnifies rounding errors, as in {@link
   * CyclicCode}.
   */
  double amplification(BitSet answered) {
    return last.amplification(members(answered));
  }

  /** Returns the members of the last group that have answered, by their index in it. */
  private BitSet members(BitSet answered) {
    BitSet members = new BitSet();
    answered.stream().filter(this::isInLast).forEach(child -> members.set(member(child)));
    return members;
  }
}
