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
 * Cyclic repetition (Tandon et al. 2017, §3.2): there are n parts, and child i has the s + 1 parts
 * from part i on, modulo n. The span of any n − s rows of B contains the vector of ones.
 *
 * <p>How much decoding magnifies the answers' rounding errors depends only on B:
 *
 * <ul>
 *   <li>If n − s is odd, B's rows are rotations of one row: the coefficients of the real polynomial
 *       whose roots are the s n-th roots of unity that are farthest from 1 (Raviv et al., "Gradient
 *       Coding from Cyclic MDS Codes and Expander Graphs", 2018).
 *   <li>If n − s is even, there is no such polynomial with real coefficients, but there is one
 *       whose roots are n-th roots of −1. Further candidates take their rows from a null space. One
 *       kind is the null space of the s − 1 roots that are farthest from 1 and of a wave of the
 *       next frequency, at several phases. Another kind is the null space of random matrices, as in
 *       Tandon's Algorithm 2. For up to {@value #MOST_BOUNDED} children the code uses the candidate
 *       that magnifies errors least; for more children, it uses the first.
 * </ul>
 *
 * <p>For up to {@value #MOST_BOUNDED} children errors grow at most 100-fold if n − s is odd and at
 * most 1,000-fold if it is even, regardless of stragglers. For more children there is no such
 * bound: decoding distinguishes n − s waves by their values at n − s of n places, and some of the
 * many sets of places are clustered. In the sets that the tests draw, errors grow up to 10,000-fold
 * with 19 children and 3-million-fold with 32. For that reason {@link GroupedCode} uses cyclic
 * codes only below n = 2(s + 1).
 *
 * <p>Random matrices on their own magnify errors five times more for n up to 12. The textbook's
 * choice, a Reed–Solomon code over Chebyshev nodes, magnifies them 10^7-fold for n = 20.
 */
public final class CyclicCode implements GradientCode {

  /**
   * Maximum number of children for which the magnification of rounding errors has a bound. For more
   * children the worst sets of answers are so rare that trying some sets does not rank the codes.
   */
  public static final int MOST_BOUNDED = 12;

  /** Number of phases, and of random matrices ({@link #DRAWS}), that are compared. */
  private static final int PHASES = 24;

  private static final int DRAWS = 12;

  /**
   * Number of sets of answers that select the {@link #FINALISTS}; {@link #COMPARED_SETS} sets then
   * select the best of these.
   */
  private static final int FIRST_SETS = 60;

  private static final int FINALISTS = 8;
  private static final int COMPARED_SETS = 1500;

  private static final double NO_BOUND = Double.POSITIVE_INFINITY;

  /** Maximum absolute error of the decoded weight of a part, in double precision. */
  private static final double EXACT = 1e-7;

  /**
   * Maximum number of sets of answers whose decoding is cached: the same children tend to be late.
   */
  private static final int KEPT = 1024;

  private final int children;
  private final int stragglers;

  /**
   * B, {@code double[n][n]}, computed when it is first needed: callers that only ask how many
   * answers suffice do not need it. Empty until then.
   */
  private double[][] coefficients;

  private final Map<BitSet, Decoding> decodings = new HashMap<>();

  /**
   * Creates the code, which is the same for the same arguments.
   *
   * @param children n
   * @param stragglers s
   * @throws IllegalArgumentException unless {@code 0 ≤ s < n}
   */
  public CyclicCode(int children, int stragglers) {
    this(children, stragglers, new double[0][]);
    if (stragglers < 0 || stragglers >= children) {
      throw new IllegalArgumentException(
          stragglers
              + " stragglers of "
              + children
              + " children: must be 0 <= stragglers < children");
    }
  }

  /** Creates the code with the given B, {@code double[n][n]}, or with the best B if it is empty. */
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

  /** Returns B from the polynomial whose roots are the s n-th roots of unity closest to −1. */
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
   * Returns B from the polynomial whose roots are the s n-th roots of −1 closest to −1. Its
   * rotations change their sign where they wrap around, and their span contains half a wave. With
   * each part divided by that half wave's value there, the span contains the vector of ones.
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

  /**
   * Returns the checks {@code double[s][n]} for the s − 1 roots closest to −1 and for a wave of the
   * next frequency.
   */
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

  /** Returns a random matrix {@code double[s][n]} with the vector of ones in its null space. */
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
   * Returns a pseudo-random number in [0, 1) for an index (the finaliser of SplitMix64). It is the
   * same for all ranks and runs, because they must use the same code.
   */
  private static double scattered(long index) {
    long bits = (index + 1) * 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return ((bits ^ (bits >>> 31)) >>> 11) * 0x1.0p-53;
  }

  /**
   * Returns for each child a vector that is nonzero only at the child's s + 1 parts and satisfies
   * all checks, that is, their products with it are 0.
   */
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
   * Returns the largest magnification of rounding errors over some sets of answers.
   *
   * @param sets number of sets to try
   * @param enough bound at which the search stops, because the exact value is not needed above it
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
   * Returns how much decoding from these answers magnifies rounding errors. This is the largest
   * sum, over all parts, of the absolute values of a part's terms, which themselves add up to 1;
   * infinity if they do not.
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

  /** Returns the decoding of the first n − s children that have answered; empty if fewer have. */
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
