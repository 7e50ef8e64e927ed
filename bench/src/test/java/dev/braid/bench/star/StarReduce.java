package dev.braid.bench.star;

import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.OrderedSums;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.stream.IntStream;

/** Reduce by star: all ranks send to a centre, which adds the values in the order of the ranks. */
final class StarReduce implements Collective {

  private final Communicator among;
  private final int centre;
  private final Range range;
  private final float[] sums;
  private final Completion completion;
  private final OrderedSums received;

  StarReduce(Communicator among, int centre, Range range, float[] sums, Completion completion) {
    this.among = among;
    this.centre = centre;
    this.range = range;
    this.sums = sums;
    this.completion = completion;
    int[] lengths =
        IntStream.range(0, range.chunks(among.chunkLength())).map(i -> chunk(i).length()).toArray();
    this.received = new OrderedSums(lengths, among.size());
  }

  private Range chunk(int index) {
    return range.chunk(index, among.chunkLength());
  }

  void begin(float[] gradient, long samples) {
    for (int i = 0; i < range.chunks(among.chunkLength()); i++) {
      Payload values = Payload.view(gradient, chunk(i));
      if (among.position() == centre) {
        add(i, centre, values, samples);
      } else {
        among.sendPartial(centre, chunk(i), samples, values);
      }
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    int index = (sum.range().start() - range.start()) / among.chunkLength();
    add(index, from, sum.payload(), sum.samples());
  }

  private void add(int index, int from, Payload values, long samples) {
    if (received.add(index, from, values, samples)) {
      Slice sum = received.sum(index);
      System.arraycopy(sum.array(), sum.offset(), sums, chunk(index).start(), sum.length());
      long total = received.samples(index);
      received.clear(index);
      completion.complete(chunk(index), total);
    }
  }

  @Override
  public void rollBack() {
    received.clear();
  }
}
