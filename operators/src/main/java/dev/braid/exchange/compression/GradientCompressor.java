package dev.braid.exchange.compression;

import dev.braid.codec.NotFiniteException;
import dev.braid.codec.SparseValues;
import dev.braid.codec.ThresholdRule;
import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
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
import java.util.List;
import java.util.Optional;

/**
 * Makes of each computed gradient what is contributed, and keeps the rest. The residual is of the
 * rounds that are complete: {@link #completed} brings it up to date, from what was computed and
 * what was sent, which both still exist then. So nothing has to be undone where a round is rolled
 * back, and no third vector is needed.
 *
 * <p>A gradient that is not finite goes as it is: training ends with it as it would without
 * compression. So does one of no samples, which others need as an empty one.
 */
final class GradientCompressor {

  /** What is computed and not sent. */
  static final StateKind RESIDUAL = new StateKind("residual", 1, StateKind.Rescaling.SUM);

  /** How the last gradient was quantized, and how many there were. */
  static final StateKind QUANTIZATION = new StateKind("quantization", 1, StateKind.Rescaling.KEEP);

  /** How often the residual is measured: once in so many gradients. */
  private static final int NORM_STEPS = 16;

  /**
   * A contribution of a round that is not complete.
   *
   * @param computed what the rank has computed
   * @param sent what is contributed in its place
   * @param how it was quantized; none where it goes as it is, and leaves nothing
   */
  private record Pending(
      Contribution computed, Contribution sent, Optional<ThresholdRule.Last> how) {}

  private final Range whole;
  private final int batch;
  private final Optional<Quantizer> quantizer;
  private final SparseValues taken = new SparseValues(0);

  private final float[] sent;
  private final float[] residual;

  private Optional<Pending> pending = Optional.empty();
  private Optional<ThresholdRule.Last> last = Optional.empty();
  private long steps;

  private CompressionUse use = CompressionUse.NONE;

  /** As it was measured last. */
  private double residualNorm;

  GradientCompressor(Compression compression, ExchangeConfig config) {
    this.whole = Range.ofLength(config.length());
    this.batch = config.options().batch();
    this.quantizer = Quantizer.of(compression, batch);
    // A rank that only serves has no gradient.
    int length = config.roles().computes(config.rank()) ? config.length() : 0;
    this.sent = new float[length];
    this.residual = new float[quantizer.isPresent() ? length : 0];
  }

  /** The states of a kind of compression. */
  static List<StateKind> states(Compression compression) {
    return Quantizer.of(compression, 1).isPresent() ? List.of(QUANTIZATION, RESIDUAL) : List.of();
  }

  /**
   * What is contributed of a gradient; the same for one that was rolled back, and is contributed
   * again.
   */
  @SuppressWarnings("ReferenceEquality")
  Contribution compress(Contribution local) {
    // Its identity says so: one that is computed anew, of the same round, is another.
    Pending now =
        pending.filter(known -> known.computed() == local).orElseGet(() -> quantized(local));
    pending = Optional.of(now);
    return now.sent();
  }

  private Pending quantized(Contribution local) {
    if (local.samples() == 0) {
      return new Pending(local, local, Optional.empty());
    }
    return quantizer.isPresent() ? taken(quantizer.get(), local) : rounded(local);
  }

  private Pending rounded(Contribution local) {
    Payload.Half.round(Slice.view(local.gradient(), whole), Slice.view(sent, whole));
    return new Pending(local, withSent(local), Optional.empty());
  }

  private Pending taken(Quantizer from, Contribution local) {
    System.arraycopy(residual, 0, sent, 0, sent.length);
    Vectors.add(sent, local.gradient(), whole);
    float tau;
    try {
      tau = from.take(last, sent, whole, taken);
    } catch (NotFiniteException e) {
      return new Pending(local, local, Optional.empty());
    }
    taken.copyTo(sent, whole);
    double density = (double) taken.size() / sent.length;
    return new Pending(local, withSent(local), Optional.of(new ThresholdRule.Last(tau, density)));
  }

  private Contribution withSent(Contribution local) {
    return new Contribution(local.round(), sent, local.samples());
  }

  /** So many rounds are complete: what was contributed to them is sent. */
  void completed(long rounds) {
    if (pending.isPresent() && pending.get().computed().round() < rounds) {
      Pending done = pending.get();
      pending = Optional.empty();
      done.how().ifPresent(how -> leave(done.computed().gradient(), how));
      if (done.computed().samples() > 0) {
        double density = done.how().map(ThresholdRule.Last::density).orElse(1.0);
        use = use.plus(new CompressionUse(1, density, tau(), residualNorm, 0, 0));
      }
    }
  }

  /** The same operations as the quantizer's, element by element, with the same result. */
  private void leave(float[] gradient, ThresholdRule.Last how) {
    for (int i = 0; i < residual.length; i++) {
      residual[i] = (residual[i] + gradient[i]) - sent[i];
    }
    quantizer.orElseThrow().clip(residual, whole, how.tau(), steps);
    last = Optional.of(how);
    if (steps++ % NORM_STEPS == 0) {
      residualNorm = Vectors.norm(residual, whole);
    }
  }

  // ---- statistics ------------------------------------------------------------------------------

  /** Of gradients of complete rounds in this run, of some sample; without bytes. */
  CompressionUse use() {
    return use;
  }

  /** The last threshold, of the mean gradient of a full batch. */
  double tau() {
    return last.map(how -> (double) how.tau() / batch).orElse(0.0);
  }

  /** How many vectors of the model's length are kept here. */
  int vectors() {
    return (sent.length > 0 ? 1 : 0) + (residual.length > 0 ? 1 : 0);
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  List<LastingState> states() {
    return quantizer.isEmpty()
        ? List.of()
        : List.of(
            new LastingState(QUANTIZATION, this::writeQuantization, this::readQuantization),
            new LastingState(
                RESIDUAL, out -> StateVectors.write(out, residual), this::readResidual));
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
          "the exchange's state has a threshold of %s that a share of %s is beyond"
              .formatted(tau, density));
    }
    return new ThresholdRule.Last(tau, density);
  }

  private void readResidual(DataInput in) throws IOException {
    float[] read = StateVectors.read(in, residual.length);
    if (!Vectors.allFinite(read)) {
      throw new IOException("the exchange's state has a residual that is not finite");
    }
    System.arraycopy(read, 0, residual, 0, read.length);
  }
}
