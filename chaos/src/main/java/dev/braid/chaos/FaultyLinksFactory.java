package dev.braid.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.stream.EventSource;
import dev.braid.loop.envelope.Envelope;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/** Creates the links of each rank. */
final class FaultyLinksFactory extends AbstractStreamOperatorFactory<Envelope>
    implements TwoInputStreamOperatorFactory<Envelope, ChaosEvent, Envelope> {

  private static final long serialVersionUID = 1L;

  private final long seed;
  private final int chunkLength;
  private final EventSource events;

  FaultyLinksFactory(long seed, int chunkLength, EventSource events) {
    this.seed = seed;
    this.chunkLength = chunkLength;
    this.events = events;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T extends StreamOperator<Envelope>> T createStreamOperator(
      StreamOperatorParameters<Envelope> parameters) {
    return (T) new FaultyLinks(parameters, seed, chunkLength, events.known());
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return FaultyLinks.class;
  }
}
