package dev.braid.exchange.fttree;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.membership.ElasticExchange;
import dev.braid.exchange.transport.Window;
import dev.braid.topology.BackupTree;
import dev.braid.vector.FloatPool;

/**
 * The improved fault-tolerant tree: the reduction of {@code tree} over the links of {@link
 * BackupTree}, on a transport that itself finds routes around failed links.
 *
 * <p>Improvements over the paper's algorithm ({@link FaultTolerantTree}): time-outs follow measured
 * round trips, the ends of a link detect a failure themselves, the tree survives any number of
 * failures while a route is left, and the route that was found is kept for later rounds. As long as
 * every acknowledgement arrives in time, backup links carry no messages.
 *
 * <p>The order of summation is that of the other trees, so the bits are the same while all ranks
 * are in the view. If a rank's link to its parent stays down, its sum goes to the brother, which
 * sends one sum for both ({@link UpwardSums}).
 *
 * <p>{@link ElasticExchange} decides who takes part and handles excluded ranks. The tree is that of
 * a view's members, in their order.
 */
public final class BraidedTree extends ElasticExchange {

  public BraidedTree(ExchangeConfig config, Port port) {
    super(
        config,
        port,
        new BackupTree(config.ranks()).neighbours(config.rank()),
        Window.ofExchange(config),
        algorithm(config, port));
  }

  private static Algorithm algorithm(ExchangeConfig config, Port port) {
    // The pool lends memory for chunks of the sum of two brothers.
    FloatPool pool = new FloatPool(config.chunkLength(), Window.CHUNKS);
    return (view, transport) ->
        new ViewRounds(config, new ViewTree(view, config.rank()), port, transport, pool);
  }
}
