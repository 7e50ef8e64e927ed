package dev.braid.bench.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.LoopOperator;
import dev.braid.loop.LoopOperatorFactory;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.member.Holdable;
import dev.braid.loop.member.LoopMember;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * A member of the loop that only exchanges the same vector, round after round, on the path of a
 * worker's gradient, and reports the duration of each round.
 */
final class AllreduceOperator extends LoopOperator<Integer> implements LoopMember, Holdable, Port {

  private static final long serialVersionUID = 1L;

  static final OutputTag<RoundTime> ROUND_TIMES =
      new OutputTag<>("round-times", TypeInformation.of(RoundTime.class));

  /**
   * Duration of a round at a rank.
   *
   * @param correct whether the sum was correct
   * @param costs of all rounds in the record of the last one, otherwise 0: the messages to this
   *     rank, and at rank 0 everything else
   */
  public record RoundTime(int rank, int round, long nanos, boolean correct, RoundCosts costs) {}

  /** Settings of the measurement: the first {@code warmUp} rounds are not reported. */
  record Config(ExchangeType exchange, ExchangeOptions options, int length, int warmUp, int rounds)
      implements Serializable {}

  private final Config benchmark;

  private transient ExchangeRunner exchange;
  private transient float[] vector;
  private transient int rank;
  private transient int ranks;
  private transient int round;
  private transient long beganNanos;
  private transient Optional<ScheduledFuture<?>> wakeUp;
  private transient long[] times;
  private transient boolean[] correct;
  private transient RoundCosts before;
  private transient RoundCosts costs;
  private transient long messages;
  private transient long bytes;

  AllreduceOperator(StreamOperatorParameters<Envelope> parameters, Config benchmark) {
    super(parameters);
    this.benchmark = benchmark;
  }

  @Override
  public void open() throws Exception {
    super.open();
    rank = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    vector = new float[benchmark.length()];
    Arrays.fill(vector, rank + 1);
    times = new long[benchmark.warmUp() + benchmark.rounds()];
    correct = new boolean[times.length];
    wakeUp = Optional.empty();
  }

  @Override
  protected void begin(int chunkLength) {
    exchange =
        benchmark
            .exchange()
            .create(
                new ExchangeConfig(rank, ranks, vector.length, chunkLength, 0, benchmark.options()),
                this);
    startMember(this);
    mailbox().execute(this::beginRound, "begin");
  }

  private void beginRound() {
    if (round == benchmark.warmUp()) {
      before = rank == 0 ? RoundCosts.now() : RoundCosts.NONE;
      messages = 0;
      bytes = 0;
    }
    beganNanos = System.nanoTime();
    exchange.contribute(new Contribution(round, vector, 1));
    // With one rank, or if all messages have already arrived, the round is complete.
    roundsMayBeDone();
  }

  private void roundsMayBeDone() {
    if (round < times.length && exchange.completedRounds() > round) {
      times[round++] = System.nanoTime() - beganNanos;
      if (round < times.length) {
        // A mail instead of a call, because a round must not nest in the previous one.
        mailbox().execute(this::beginRound, "next round");
      } else {
        RoundCosts now = rank == 0 ? RoundCosts.now() : RoundCosts.NONE;
        costs = now.minus(before).plus(new RoundCosts(messages, bytes, 0, 0, 0));
        tell(new LoopEvent.Done(0, round));
      }
    }
  }

  @Override
  protected void arrived(Message message) {
    messages++;
    bytes += EnvelopeSerializer.bytes(message);
  }

  @Override
  public void receive(Message message) {
    exchange.receive(message);
    roundsMayBeDone();
  }

  /** Returns the vector in place of a model: each round sums the same vector again. */
  @Override
  public float[][] model() {
    return new float[][] {vector};
  }

  @Override
  public void update(Update update) {
    float expected = ranks * (ranks + 1) / 2f;
    float[] sum = update.values().array();
    correct[round] = sum[0] == expected && sum[sum.length - 1] == expected;
  }

  @Override
  public void finish(long rounds) {
    for (int i = benchmark.warmUp(); i < times.length; i++) {
      RoundCosts ofRound = i < times.length - 1 ? RoundCosts.NONE : costs;
      output.collect(
          ROUND_TIMES,
          new StreamRecord<>(
              new RoundTime(rank, i - benchmark.warmUp(), times[i], correct[i], ofRound)));
    }
    end();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public void wakeAt(long nanos) {
    wakeUp.ifPresent(timer -> timer.cancel(false));
    long delayMillis = Math.max(0, -Math.floorDiv(System.nanoTime() - nanos, 1_000_000L));
    long now = getProcessingTimeService().getCurrentProcessingTime();
    wakeUp =
        Optional.of(
            getProcessingTimeService()
                .registerTimer(
                    now + delayMillis,
                    time -> {
                      exchange.deadline();
                      roundsMayBeDone();
                    }));
  }

  @Override
  public Holdable holdable() {
    return this;
  }

  @Override
  public long completedRounds() {
    return exchange.completedRounds();
  }

  @Override
  public void freeze() {}

  @Override
  public void rollBack() {}

  @Override
  public void resume() {}

  @Override
  public void verdict(int epoch, boolean stop) {}

  @Override
  public void processElement(StreamRecord<Integer> element) {}

  static final class Factory extends LoopOperatorFactory<Integer> {

    private static final long serialVersionUID = 1L;

    private final Config benchmark;

    Factory(Config benchmark) {
      super(StoppingRule.NONE);
      this.benchmark = benchmark;
    }

    @Override
    protected LoopOperator<Integer> create(StreamOperatorParameters<Envelope> parameters) {
      return new AllreduceOperator(parameters, benchmark);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
      return AllreduceOperator.class;
    }
  }
}
