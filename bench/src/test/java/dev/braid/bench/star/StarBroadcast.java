package dev.braid.bench.star;

import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;

/** Broadcast by star: a centre sends its values to all other ranks. */
final class StarBroadcast implements Collective {

  private final Communicator among;
  private final float[] values;
  private final Completion completion;

  StarBroadcast(Communicator among, float[] values, Completion completion) {
    this.among = among;
    this.values = values;
    this.completion = completion;
  }

  void publish(Range chunk, long samples) {
    for (int i = 0; i < among.size(); i++) {
      if (i != among.position()) {
        among.sendFinished(i, chunk, samples, Payload.view(values, chunk));
      }
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    sum.payload().copyTo(values, sum.range().start());
    completion.complete(sum.range(), sum.samples());
    sum.payload().release();
  }
}
