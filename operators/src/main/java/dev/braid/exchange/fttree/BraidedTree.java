package dev.braid.exchange.fttree;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.membership.ElasticExchange;
import dev.braid.exchange.transport.Window;
import dev.braid.topology.BackupTree;
import dev.braid.vector.FloatPool;

/**
 * The fault-tolerant tree, improved: the reduction of {@code tree} over the links of {@link
 * BackupTree}, on a transport that finds ways around failed links by itself.
 *
 * <p>What the paper's algorithm ({@link FaultTolerantTree}) has not: time-outs follow measured
 * round trips, the ends of a link notice a failure themselves, any number of failures is survived
 * while a way is left, and the way that was found is kept for later rounds. As long as every
 * acknowledgement comes in time, backup links carry nothing at all.
 *
 * <p>Sums are in the same order as in the other trees, so the bits are the same while all ranks are
 * in the view. A rank whose link to its parent stays down comes through its brother, as one sum
 * with his ({@link UpwardSums}).
 *
 * <p>Who takes part, and what becomes of a rank that is cut off, is its frame's ({@link
 * ElasticExchange}): the tree is that of a view's members, in their order.
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
    // For chunks of a sum of two brothers.
    FloatPool pool = new FloatPool(config.chunkLength(), Window.CHUNKS);
    return (view, transport) ->
        new ViewRounds(config, new ViewTree(view, config.rank()), port, transport, pool);
  }
}
