package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeOptions;

/**
 * Options of parameter servers.
 *
 * @param dedicated number of ranks after the workers that only serve; 0 if every worker serves
 * @param consistency consistency model, which determines what workers wait for
 */
public record ServerOptions(int dedicated, Consistency consistency)
    implements ExchangeOptions.Choice {

  /** Default options: every worker serves, and all workers wait for each other. */
  public static final ServerOptions DEFAULT = new ServerOptions(0, Consistency.SYNC);

  @Override
  public ExchangeOptions in(ExchangeOptions options) {
    return options
        .with(ExchangeOptions.SERVERS, dedicated)
        .with(ParameterServersDescriptor.CONSISTENCY, consistency);
  }
}
