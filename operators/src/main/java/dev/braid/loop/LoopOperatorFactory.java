package dev.braid.loop;

import java.util.OptionalDouble;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/**
 * Makes the members of a loop, and their coordinator.
 *
 * @param <IN> what the members work on
 */
public abstract class LoopOperatorFactory<IN> extends AbstractStreamOperatorFactory<Envelope>
    implements OneInputStreamOperatorFactory<IN, Envelope>, CoordinatedOperatorFactory<Envelope> {

  private static final long serialVersionUID = 1L;

  /** The accuracy to stop at; above 1 for none, as an OptionalDouble cannot be serialised. */
  private final double targetAccuracy;

  private final int withoutScore;

  /** A factory for members that all have a score. */
  protected LoopOperatorFactory(OptionalDouble targetAccuracy) {
    this(targetAccuracy, 0);
  }

  /**
   * A factory whose loop stops after the epoch that reaches a target.
   *
   * @param targetAccuracy share of the test samples, from 0 to 1
   * @param withoutScore how many members, the last ones, evaluate nothing
   */
  protected LoopOperatorFactory(OptionalDouble targetAccuracy, int withoutScore) {
    this.withoutScore = withoutScore;
    this.targetAccuracy = targetAccuracy.orElse(Double.POSITIVE_INFINITY);
  }

  /** One member. */
  protected abstract LoopOperator<IN> create(StreamOperatorParameters<Envelope> parameters);

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public final <T extends StreamOperator<Envelope>> T createStreamOperator(
      StreamOperatorParameters<Envelope> parameters) {
    return (T) create(parameters);
  }

  @Override
  public final OperatorCoordinator.Provider getCoordinatorProvider(
      String operatorName, OperatorID operatorId) {
    return new Provider(operatorId, targetAccuracy, withoutScore);
  }

  private static final class Provider implements OperatorCoordinator.Provider {

    private static final long serialVersionUID = 1L;

    private final OperatorID operatorId;
    private final double targetAccuracy;
    private final int withoutScore;

    Provider(OperatorID operatorId, double targetAccuracy, int withoutScore) {
      this.withoutScore = withoutScore;
      this.operatorId = operatorId;
      this.targetAccuracy = targetAccuracy;
    }

    @Override
    public OperatorID getOperatorId() {
      return operatorId;
    }

    @Override
    public OperatorCoordinator create(OperatorCoordinator.Context context) {
      return new LoopCoordinator(
          context,
          Double.isInfinite(targetAccuracy)
              ? OptionalDouble.empty()
              : OptionalDouble.of(targetAccuracy),
          withoutScore);
    }
  }
}
