package dev.braid.exchange.compression;

import dev.braid.codec.HalfPrecision;
import dev.braid.codec.NotFiniteException;
import dev.braid.codec.SparseValues;
import dev.braid.codec.ThresholdRule;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateReader;
import dev.braid.exchange.state.StateVectors;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Derives the contribution from each computed gradient, and keeps the rest in the residual. The
 * residual covers the complete rounds only: {@link #completed} updates it from what was computed
 * and what was sent, both of which still exist then. So a rollback needs no undo, and no third
 * vector.
 *
 * <p>Where a rank may be left out, its last round may be set back after it was complete, because no
 * other rank has it. The previous residual is kept for that. A gradient that is in no sum leaves
 * nothing. A gradient that is in the others' sum, which this rank lacks, leaves its residual.
 *
 * <p>A gradient that is not finite is sent as it is, and training ends with it as it would without
 * compression. A gradient of no samples is also sent as it is; other ranks need it as an empty one.
 */
final class GradientCompressor {

  /** The residual: what is computed and not sent. */
  static final StateKind RESIDUAL = new StateKind("residual", 1, StateKind.Rescaling.SUM);

  /** Quantization of the last gradient, and the number of gradients so far. */
  static final StateKind QUANTIZATION = new StateKind("quantization", 1, StateKind.Rescaling.KEEP);

  /** Number of gradients between two measurements of the residual's norm. */
  private static final int NORM_STEPS = 16;

  /** How gradients are contributed. */
  enum Kind {
    /** Gradients are contributed as they are. */
    PLAIN,
    /** Gradients are rounded to values of 16 bits. */
    ROUNDED,
    /** A part of each gradient is contributed, and the rest is kept. */
    QUANTIZED
  }

  /**
   * Use of gradients by an exchange.
   *
   * @param kind {@link Kind#QUANTIZED} if there is a quantizer for the compression
   * @param mayBeSetBack whether a complete round may be set back
   * @param takesMeans whether a step uses the mean over the samples of a round, so that samples of
   *     a small batch weigh more than others
   */
  record Use(Kind kind, boolean mayBeSetBack, boolean takesMeans) {}

  /**
   * A contribution to a round that is not complete.
   *
   * @param computed the contribution that the rank has computed
   * @param gradient its gradient, scaled to a full batch
   * @param added vector that is added to the residual: the gradient, with momentum if there is any
   * @param sent the contribution that replaces it
   * @param how quantization of the gradient; empty if it is sent as it is, and leaves nothing
   */
  private record Pending(
      Contribution computed,
      float[] gradient,
      float[] added,
      Contribution sent,
      Optional<ThresholdRule.Last> how) {

    /** Creates a pending contribution that leaves nothing. */
    Pending(Contribution computed, Contribution sent) {
      this(computed, computed.gradient(), computed.gradient(), sent, Optional.empty());
    }
  }

  /**
   * The state before the last complete round.
   *
   * @param isLeft whether that round has changed the residual
   */
  private record Before(
      long round, boolean isLeft, Optional<ThresholdRule.Last> last, long steps) {}

  private final Range whole;
  private final List<Range> exact;
  private final int batch;
  private final Use use;
  private final Optional<HalfPrecision> rounding;
  private final Optional<Quantizer> quantizer;
  private final Optional<MomentumCorrection> correction;

  /**
   * The elements taken last. All elements of {@link #sent} except these and the exact ones are 0.
   */
  private final SparseValues taken = new SparseValues(0);

  private final float[] sent;
  private float[] residual;

  /** The residual of the previous round, if the last round may be set back; else empty. */
  private float[] residualBefore;

  private Optional<Pending> pending = Optional.empty();
  private Optional<Before> before = Optional.empty();
  private Optional<ThresholdRule.Last> last = Optional.empty();
  private long steps;

  /** Figures of gradients with samples in this run's complete rounds. */
  private final FigureValues done = new FigureValues();

  /** Norm of the residual when it was last measured, as of the mean gradient of a full batch. */
  private double residualNorm;

  GradientCompressor(Compression compression, ExchangeConfig config, Use use) {
    this.whole = Range.ofLength(config.length());
    this.exact = config.exact();
    this.batch = config.options().batch();
    this.use = use;
    this.rounding = Compression.rounding(compression);
    this.quantizer = Quantizer.of(compression, batch);
    if ((use.kind() == Kind.QUANTIZED) != quantizer.isPresent()) {
      throw new IllegalArgumentException(compression + ": not for gradients of kind " + use.kind());
    }
    // A rank that only serves has no gradient.
    int length = config.roles().computes(config.rank()) ? config.length() : 0;
    this.sent = new float[use.kind() == Kind.PLAIN ? 0 : length];
    this.residual = new float[use.kind() == Kind.QUANTIZED ? length : 0];
    this.residualBefore = new float[use.mayBeSetBack() ? residual.length : 0];
    this.correction =
        compression instanceof Compression.Corrected corrected && length > 0
            ? Optional.of(new MomentumCorrection(corrected.momentum(), length, use.mayBeSetBack()))
            : Optional.empty();
  }

  /** Returns how gradients are contributed with a kind of compression. */
  static Kind kind(Compression compression) {
    return Quantizer.of(compression, 1).isPresent() ? Kind.QUANTIZED : Kind.ROUNDED;
  }

  /** Returns the states of a kind of compression. */
  static List<StateKind> states(Compression compression) {
    if (Quantizer.of(compression, 1).isEmpty()) {
      return List.of();
    }
    return compression instanceof Compression.Corrected
        ? List.of(QUANTIZATION, RESIDUAL, MomentumCorrection.VELOCITY)
        : List.of(QUANTIZATION, RESIDUAL);
  }

  /**
   * Returns what is contributed of a gradient. For a gradient that was rolled back and is
   * contributed again, the result is the same.
   */
  @SuppressWarnings("ReferenceEquality")
  Contribution compress(Contribution local) {
    // Contributions are compared by identity: a gradient that is recomputed for the same round is
    // another one.
    Pending now =
        pending.filter(known -> known.computed() == local).orElseGet(() -> quantized(local));
    pending = Optional.of(now);
    return now.sent();
  }

  private Pending quantized(Contribution local) {
    if (local.samples() == 0) {
      return new Pending(local, local);
    }
    return switch (use.kind()) {
      case PLAIN -> new Pending(local, local);
      case ROUNDED -> rounded(rounding.orElseThrow(), local);
      case QUANTIZED -> taken(quantizer.orElseThrow(), local);
    };
  }

  private Pending rounded(HalfPrecision form, Contribution local) {
    Payload.Half.round(form, Slice.view(local.gradient(), whole), Slice.view(sent, whole));
    return new Pending(local, withSent(local));
  }

  private Pending taken(Quantizer from, Contribution local) {
    taken.clearIn(sent);
    float share = shareOfBatch(local);
    float[] gradient = share == 1 ? local.gradient() : scaled(local.gradient(), 1 / share);
    float[] added = correction.map(it -> it.corrected(gradient)).orElse(gradient);
    boolean isCopied = from.usesUp() || !exact.isEmpty();
    float tau;
    try {
      tau = from.take(last, residual, isCopied ? copied(added) : added, whole, taken);
    } catch (NotFiniteException e) {
      taken.clear();
      Arrays.fill(sent, 0);
      return new Pending(local, local);
    }
    if (isCopied) {
      Arrays.fill(sent, 0);
    }
    taken.setIn(sent, share);
    for (Range part : exact) {
      System.arraycopy(local.gradient(), part.start(), sent, part.start(), part.length());
    }
    double density = (double) taken.size() / sent.length;
    return new Pending(
        local, gradient, added, withSent(local), Optional.of(new ThresholdRule.Last(tau, density)));
  }

  /**
   * Returns the fraction of a full batch that a gradient covers, where a step uses the mean over a
   * round's samples. The residual belongs to full batches, and would weigh many times as much in
   * the round of an epoch's last few samples. So the gradient is scaled to a full batch, and only
   * this fraction of what is taken is sent.
   */
  private float shareOfBatch(Contribution local) {
    return use.takesMeans() && local.samples() < batch ? (float) local.samples() / batch : 1;
  }

  private static float[] scaled(float[] gradient, float factor) {
    float[] scaled = gradient.clone();
    Vectors.scale(scaled, factor, Range.ofLength(scaled.length));
    return scaled;
  }

  /**
   * Copies a gradient into {@link #sent}, except the exact parts, from which nothing must be taken.
   */
  private float[] copied(float[] added) {
    System.arraycopy(added, 0, sent, 0, sent.length);
    exact.forEach(part -> Arrays.fill(sent, part.start(), part.end(), 0));
    return sent;
  }

  private Contribution withSent(Contribution local) {
    return new Contribution(local.round(), sent, local.samples());
  }

  // ---- complete rounds --------------------------------------------------------------------------

  /** Notes that this many rounds are complete: what was contributed to them is sent. */
  void completed(long rounds) {
    completed(rounds, round -> true);
  }

  /**
   * Notes that this many rounds are complete.
   *
   * @param counts whether the sum of a round contains this rank's contribution; if not, the
   *     contribution is treated as never made
   */
  void completed(long rounds, LongPredicate counts) {
    if (pending.isPresent() && pending.get().computed().round() < rounds) {
      Pending complete = pending.get();
      pending = Optional.empty();
      if (counts.test(complete.computed().round())) {
        isSent(complete);
      }
    }
  }

  /**
   * Notes that this rank continues without the others, or with a copy of a replica, and sets back
   * the last round if the others do not have it.
   *
   * @param rounds number of rounds that are complete for this rank
   */
  void leftOut(long rounds) {
    completed(rounds);
    pending = Optional.empty();
    before.filter(it -> it.round() >= rounds).ifPresent(this::setBack);
  }

  private void setBack(Before to) {
    if (to.isLeft()) {
      float[] ofRound = residual;
      residual = residualBefore;
      residualBefore = ofRound;
      correction.ifPresent(MomentumCorrection::setBack);
    }
    last = to.last();
    steps = to.steps();
    before = Optional.empty();
  }

  private void isSent(Pending one) {
    before = Optional.of(new Before(one.computed().round(), one.how().isPresent(), last, steps));
    one.how().ifPresent(how -> leave(one, how));
    if (one.computed().samples() > 0) {
      double density = one.how().map(ThresholdRule.Last::density).orElse(1.0);
      done.add(Figure.GRADIENTS, 1);
      done.add(Figure.DENSITY, density);
      done.add(Figure.THRESHOLD, tau());
      done.add(Figure.RESIDUAL_NORM, residualNorm);
    }
  }

  /**
   * Updates the residual by the same operations as the quantizer's, element by element, so that the
   * result is the same.
   */
  private void leave(Pending of, ThresholdRule.Last how) {
    if (residualBefore.length > 0) {
      float[] next = residualBefore;
      System.arraycopy(residual, 0, next, 0, next.length);
      residualBefore = residual;
      residual = next;
    }
    Vectors.add(residual, of.added(), whole);
    taken.subtractFrom(residual);
    correction.ifPresent(it -> it.isSent(of.gradient(), taken));
    exact.forEach(part -> Arrays.fill(residual, part.start(), part.end(), 0));
    quantizer.orElseThrow().clip(residual, whole, how.tau(), steps);
    last = Optional.of(how);
    if (steps++ % NORM_STEPS == 0) {
      residualNorm = Vectors.norm(residual, whole) / batch;
    }
  }

  // ---- statistics ------------------------------------------------------------------------------

  void addFigures(FigureValues to) {
    to.add(done);
  }

  /** Returns the last threshold, relative to the mean gradient of a full batch. */
  double tau() {
    return last.map(how -> (double) how.tau() / batch).orElse(0.0);
  }

  /** Returns how many vectors of the model's length are kept. */
  int vectors() {
    int ofCorrection = correction.isPresent() ? correction.get().vectors() : 0;
    return count(sent) + count(residual) + count(residualBefore) + ofCorrection;
  }

  private static int count(float[] vector) {
    return vector.length > 0 ? 1 : 0;
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    if (quantizer.isPresent()) {
      states.add(new LastingState(QUANTIZATION, this::writeQuantization, this::readQuantization));
      states.add(
          new LastingState(RESIDUAL, out -> StateVectors.write(out, residual), this::readResidual));
    }
    correction.ifPresent(it -> states.add(it.state()));
    return states;
  }

  private void writeQuantization(DataOutput out) throws IOException {
    out.writeLong(steps);
    out.writeBoolean(last.isPresent());
    if (last.isPresent()) {
      out.writeFloat(last.get().tau());
      out.writeDouble(last.get().density());
    }
  }

  private void readQuantization(DataInput in) throws IOException {
    steps = StateReader.readLong(in, 0, "compressed gradients");
    last = in.readBoolean() ? Optional.of(readLast(in)) : Optional.empty();
  }

  private static ThresholdRule.Last readLast(DataInput in) throws IOException {
    float tau = in.readFloat();
    double density = in.readDouble();
    if (!(tau >= 0) || Float.isInfinite(tau) || !(density >= 0 && density <= 1)) {
      throw new IOException(
          ("the exchange's state: threshold %s, density %s: must be a finite number of 0 or more "
                  + "and a share of 0 to 1")
              .formatted(tau, density));
    }
    return new ThresholdRule.Last(tau, density);
  }

  private void readResidual(DataInput in) throws IOException {
    residual = StateVectors.readFinite(in, residual.length, "residual");
  }
}
