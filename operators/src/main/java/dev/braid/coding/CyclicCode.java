package dev.braid.coding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Cyclic repetition (Tandon et al. 2017, §3.2): n parts, of which child i has the s + 1 from part i
 * on, around the end. Any n − s rows of B span a space that has the vector of ones.
 *
 * <p>How much decoding enlarges the rounding of the answers depends on B alone:
 *
 * <ul>
 *   <li>Where n − s is odd, B's rows are turns of one row: the coefficients of the real polynomial
 *       whose roots are the s n-th roots of unity that are farthest from 1 (Raviv et al., "Gradient
 *       Coding from Cyclic MDS Codes and Expander Graphs", 2018).
 *   <li>Where it is even there is no such polynomial with real coefficients, but one of n-th roots
 *       of −1. Other candidates have the rows of a null space: of the s − 1 roots that are farthest
 *       from 1, and of a wave of the next frequency, at several phases; and of matrices without
 *       order, as in Tandon's Algorithm 2. Of up to {@value #MOST_BOUNDED} children that is taken
 *       with which errors grow least; of more, the first.
 * </ul>
 *
 * <p>Of up to {@value #MOST_BOUNDED} children errors grow by 100 at most where n − s is odd, and by
 * 1,000 where it is even, whoever is late. Of more there is no such bound: n − s waves are told
 * apart by n − s of n places, and among the many sets of these there are some that lie in a heap.
 * Of the sets that the tests draw errors grow by up to 10,000 with 19 children, and by 3 million
 * with 32. {@link GroupedCode} keeps n below 2(s + 1) for that reason.
 *
 * <p>Random matrices alone enlarge them five times more for n up to 12, and a Reed–Solomon code
 * over Chebyshev's nodes, the textbook's choice, 10^7 times for n = 20.
 */
public final class CyclicCode implements GradientCode {

  /**
   * Of so many children there is a bound for what decoding does to rounding. Of more, the worst
   * sets of answers are too rare for codes to be compared by those that are tried.
   */
  public static final int MOST_BOUNDED = 12;

  /** Phases, and random matrices, that are compared. */
  private static final int PHASES = 24;

  private static final int DRAWS = 12;

  /** Of which it is found out which of them may be good, and then which is the best. */
  private static final int FIRST_SETS = 60;

  private static final int FINALISTS = 8;
  private static final int COMPARED_SETS = 1500;

  private static final double NO_BOUND = Double.POSITIVE_INFINITY;

  /** What decoding may leave of a part too much or too little, in doubles. */
  private static final double EXACT = 1e-7;

  /** Sets of answers whose decoding is kept: the same children tend to be late. */
  private static final int KEPT = 1024;

  private final int children;
  private final int stragglers;

  /** B, made when it is first needed: who only asks how many answers suffice does without. */
  private double[][] coefficients;

  private final Map<BitSet, Decoding> decodings = new HashMap<>();

  /**
   * A code for so many children and stragglers; always the same for these.
   *
   * @throws IllegalArgumentException unless {@code 0 ≤ s < n}
   */
  public CyclicCode(int children, int stragglers) {
    this(children, stragglers, new double[0][]);
    if (stragglers < 0 || stragglers >= children) {
      throw new IllegalArgumentException(stragglers + " stragglers of " + children + " children");
    }
  }

  /** The code of this B. */
  CyclicCode(int children, int stragglers, double[][] coefficients) {
    this.children = children;
    this.stragglers = stragglers;
    this.coefficients = coefficients;
  }

  private double[][] coefficients() {
    if (coefficients.length == 0) {
      coefficients = best(children, stragglers);
    }
    return coefficients;
  }

  private static double[][] best(int children, int stragglers) {
    if ((children - stragglers) % 2 == 1) {
      return turnsOfOneRow(children, stragglers);
    }
    CyclicCode turns =
        new CyclicCode(children, stragglers, turnsThatChangeSigns(children, stragglers));
    if (children > MOST_BOUNDED) {
      return turns.coefficients;
    }
    List<CyclicCode> codes = new ArrayList<>();
    codes.add(turns);
    for (int i = 0; i < PHASES + DRAWS; i++) {
      double[][] checks =
          i < PHASES
              ? farRootsAndAWave(children, stragglers, Math.PI * (i + 0.5) / PHASES)
              : drawn(children, stragglers, i);
      codes.add(new CyclicCode(children, stragglers, nullSpace(checks)));
    }
    double[] worst = codes.stream().mapToDouble(code -> code.worst(FIRST_SETS, NO_BOUND)).toArray();
    int[] order =
        IntStream.range(0, worst.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> worst[i]))
            .mapToInt(i -> i)
            .limit(FINALISTS)
            .toArray();
    CyclicCode best = codes.get(order[0]);
    double least = NO_BOUND;
    for (int i : order) {
      double ofMany = codes.get(i).worst(COMPARED_SETS, least);
      if (ofMany < least) {
        least = ofMany;
        best = codes.get(i);
      }
    }
    return best.coefficients;
  }

  // ---- constructions ---------------------------------------------------------------------------

  /** Of the polynomial whose roots are the s that lie around −1. */
  private static double[][] turnsOfOneRow(int n, int s) {
    double[] row = {1};
    int last = (n - s - 1) / 2;
    for (int frequency = last + 1; 2 * frequency <= n; frequency++) {
      row =
          2 * frequency == n
              ? times(row, new double[] {1, 1})
              : times(row, new double[] {1, -2 * StrictMath.cos(2 * Math.PI * frequency / n), 1});
    }
    double sum = Arrays.stream(row).map(Math::abs).sum();
    double[][] rows = new double[n][n];
    for (int child = 0; child < n; child++) {
      for (int k = 0; k <= s; k++) {
        rows[child][(child + k) % n] = row[k] / sum;
      }
    }
    return rows;
  }

  /**
   * Of the polynomial whose roots are the s n-th roots of −1 that lie around −1. Its turns, which
   * change their sign beyond the end, span half a wave, and with each part divided by its value
   * there, the vector of ones.
   */
  private static double[][] turnsThatChangeSigns(int n, int s) {
    double[] row = {1};
    for (int odd = n - s + 1; odd <= n; odd += 2) {
      row =
          odd == n
              ? times(row, new double[] {1, 1})
              : times(row, new double[] {1, -2 * StrictMath.cos(Math.PI * odd / n), 1});
    }
    double[][] rows = new double[n][n];
    for (int child = 0; child < n; child++) {
      double largest = 0;
      for (int k = 0; k <= s; k++) {
        int part = (child + k) % n;
        double value = row[k] / StrictMath.sin(Math.PI * (part + 0.5) / n);
        rows[child][part] = part < child ? -value : value;
        largest = Math.max(largest, Math.abs(value));
      }
      for (int part = 0; part < n; part++) {
        rows[child][part] /= largest;
      }
    }
    return rows;
  }

  private static double[] times(double[] a, double[] b) {
    double[] product = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        product[i + j] += a[i] * b[j];
      }
    }
    return product;
  }

  /** What answers to the s − 1 roots that lie around −1, and to a wave of the next frequency. */
  private static double[][] farRootsAndAWave(int n, int s, double phase) {
    double[][] checks = new double[s][n];
    int last = (n - s) / 2;
    int check = 0;
    for (int frequency = last + 1; 2 * frequency <= n; frequency++) {
      checks[check++] = wave(n, frequency, 0);
      if (2 * frequency < n) {
        checks[check++] = wave(n, frequency, Math.PI / 2);
      }
    }
    checks[check] = wave(n, last, phase);
    return checks;
  }

  private static double[] wave(int n, int frequency, double phase) {
    double[] wave = new double[n];
    for (int j = 0; j < n; j++) {
      wave[j] = StrictMath.cos(2 * Math.PI * frequency * j / n + phase);
    }
    return wave;
  }

  /** A matrix without order that has the vector of ones in its null space. */
  private static double[][] drawn(int n, int s, long draw) {
    double[][] checks = new double[s][n];
    for (int check = 0; check < s; check++) {
      for (int j = 0; j < n - 1; j++) {
        checks[check][j] = 2 * scattered((draw * s + check) * n + j) - 1;
        checks[check][n - 1] -= checks[check][j];
      }
    }
    return checks;
  }

  /**
   * A number from 0 to 1, without order from one index to the next (the finaliser of SplitMix64):
   * the same for all ranks and runs, which have to have the same code.
   */
  private static double scattered(long index) {
    long bits = (index + 1) * 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return ((bits ^ (bits >>> 31)) >>> 11) * 0x1.0p-53;
  }

  /** For each child a vector with its s + 1 parts alone on which all checks are 0. */
  private static double[][] nullSpace(double[][] checks) {
    int s = checks.length;
    int n = checks[0].length;
    double[][] rows = new double[n][n];
    for (int child = 0; child < n; child++) {
      double[][] others = new double[s][s];
      double[] right = new double[s];
      for (int check = 0; check < s; check++) {
        for (int k = 0; k < s; k++) {
          others[check][k] = checks[check][(child + 1 + k) % n];
        }
        right[check] = -checks[check][child];
      }
      double[] solution = Equations.solve(others, right);
      double largest = Math.max(1, Arrays.stream(solution).map(Math::abs).max().orElse(0));
      rows[child][child] = 1 / largest;
      for (int k = 0; k < s; k++) {
        rows[child][(child + 1 + k) % n] = solution[k] / largest;
      }
    }
    return rows;
  }

  /**
   * How much decoding enlarges rounding at worst, in some sets of answers.
   *
   * @param sets how many
   * @param enough where it is no less than this, it need not be known
   */
  private double worst(int sets, double enough) {
    double worst = 1;
    long index = 0;
    for (int i = 0; i < sets && worst < enough; i++) {
      BitSet answered = new BitSet();
      answered.set(0, children);
      while (answered.cardinality() > children - stragglers) {
        answered.clear((int) (children * scattered(index++)));
      }
      worst = Math.max(worst, amplification(answered));
    }
    return worst;
  }

  /**
   * How much decoding from these answers enlarges rounding: for the part that is worst off, the sum
   * of the sizes of its terms, which add up to 1; infinite where they do not.
   */
  double amplification(BitSet answered) {
    Decoding decoding = decoding(answered).orElseThrow();
    double worst = 0;
    for (int part = 0; part < children; part++) {
      double sizes = 0;
      double sum = 0;
      for (int i = 0; i < decoding.size(); i++) {
        double term = decoding.coefficients()[i] * coefficient(decoding.children()[i], part);
        sizes += Math.abs(term);
        sum += term;
      }
      boolean isExact = Math.abs(sum - 1) < EXACT;
      worst = Math.max(worst, isExact ? sizes : Double.POSITIVE_INFINITY);
    }
    return worst;
  }

  // ---- the code --------------------------------------------------------------------------------

  @Override
  public int children() {
    return children;
  }

  @Override
  public int stragglers() {
    return stragglers;
  }

  @Override
  public boolean has(int child, int part) {
    return Math.floorMod(part - child, children) <= stragglers;
  }

  @Override
  public double coefficient(int child, int part) {
    return coefficients()[child][part];
  }

  @Override
  public int groups() {
    return 1;
  }

  @Override
  public int group(int child) {
    return 0;
  }

  @Override
  public int needed(int group) {
    return children - stragglers;
  }

  @Override
  public int cyclicChildren() {
    return children;
  }

  /** From the first n − s of those that have answered. */
  @Override
  public Optional<Decoding> decoding(BitSet answered) {
    if (!isDecodable(answered)) {
      return Optional.empty();
    }
    int[] taken = answered.stream().limit(children - stragglers).toArray();
    BitSet key = new BitSet();
    Arrays.stream(taken).forEach(key::set);
    Decoding known = decodings.get(key);
    if (known == null) {
      if (decodings.size() >= KEPT) {
        decodings.clear();
      }
      known = new Decoding(taken, solve(taken));
      decodings.put(key, known);
    }
    return Optional.of(known);
  }

  private double[] solve(int[] taken) {
    double[][] byPart = new double[children][taken.length];
    double[] ones = new double[children];
    Arrays.fill(ones, 1);
    for (int part = 0; part < children; part++) {
      for (int i = 0; i < taken.length; i++) {
        byPart[part][i] = coefficient(taken[i], part);
      }
    }
    return Equations.solve(byPart, ones);
  }
}
