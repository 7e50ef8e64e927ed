package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.TreeBroadcast;
import dev.braid.exchange.collective.TreeReduce;
import dev.braid.vector.Range;
import java.util.List;

/**
 * Pipelined binary tree allreduce: {@link TreeReduce} passes partial sums up to the root, and
 * {@link TreeBroadcast} passes the finished sum down. The first chunks go down while later ones
 * still go up.
 *
 * <p>Latency grows with log n, but inner ranks send up to three vectors per round, while those of a
 * ring send less than two. A tree suits small vectors and many ranks.
 */
public final class TreeAllreduce extends Allreduce {

  public TreeAllreduce(ExchangeConfig config, Port port) {
    super(config, port, TreeAllreduce::phases);
  }

  private static Phases phases(
      Communicator all, Range vector, float[] sums, Collective.Completion completion) {
    TreeBroadcast broadcast = new TreeBroadcast(all.inPhase(1), sums, completion);
    TreeReduce reduce = new TreeReduce(all, vector, sums, completion.andThen(broadcast::publish));
    return new Phases(reduce::begin, List.of(reduce, broadcast));
  }
}
