package dev.braid.loop;

import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.loop.envelope.Envelope;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/**
 * Creates the members of a loop, and their coordinator.
 *
 * @param <IN> type of the members' elements
 */
public abstract class LoopOperatorFactory<IN> extends AbstractStreamOperatorFactory<Envelope>
    implements OneInputStreamOperatorFactory<IN, Envelope>, CoordinatedOperatorFactory<Envelope> {

  private static final long serialVersionUID = 1L;

  private final StoppingRule rule;
  private final int withoutScore;
  private boolean isStraight;

  /** Creates a factory for members that all have a score. */
  protected LoopOperatorFactory(StoppingRule rule) {
    this(rule, 0);
  }

  /**
   * Creates a factory whose loop may stop after an epoch.
   *
   * @param withoutScore number of members that evaluate nothing: the last ones
   */
  protected LoopOperatorFactory(StoppingRule rule, int withoutScore) {
    this.withoutScore = withoutScore;
    this.rule = rule;
  }

  /** Lets letters between members in one JVM go straight to their receivers. */
  final void goStraight() {
    isStraight = true;
  }

  /** Creates one member. */
  protected abstract LoopOperator<IN> create(StreamOperatorParameters<Envelope> parameters);

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public final <T extends StreamOperator<Envelope>> T createStreamOperator(
      StreamOperatorParameters<Envelope> parameters) {
    LoopOperator<IN> member = create(parameters);
    if (isStraight) {
      member.goStraight();
    }
    return (T) member;
  }

  @Override
  public final OperatorCoordinator.Provider getCoordinatorProvider(
      String operatorName, OperatorID operatorId) {
    return new Provider(operatorId, rule, withoutScore);
  }

  private static final class Provider implements OperatorCoordinator.Provider {

    private static final long serialVersionUID = 1L;

    private final OperatorID operatorId;
    private final StoppingRule rule;
    private final int withoutScore;

    Provider(OperatorID operatorId, StoppingRule rule, int withoutScore) {
      this.withoutScore = withoutScore;
      this.operatorId = operatorId;
      this.rule = rule;
    }

    @Override
    public OperatorID getOperatorId() {
      return operatorId;
    }

    @Override
    public OperatorCoordinator create(OperatorCoordinator.Context context) {
      return new LoopCoordinator(
          context.currentParallelism(), context::failJob, rule, withoutScore);
    }
  }
}
