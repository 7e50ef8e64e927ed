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

  /**
   * A factory whose loop stops after the epoch that reaches a target.
   *
   * @param targetAccuracy share of the test samples, from 0 to 1
   */
  protected LoopOperatorFactory(OptionalDouble targetAccuracy) {
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
    return new Provider(operatorId, targetAccuracy);
  }

  private static final class Provider implements OperatorCoordinator.Provider {

    private static final long serialVersionUID = 1L;

    private final OperatorID operatorId;
    private final double targetAccuracy;

    Provider(OperatorID operatorId, double targetAccuracy) {
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
              : OptionalDouble.of(targetAccuracy));
    }
  }
}
