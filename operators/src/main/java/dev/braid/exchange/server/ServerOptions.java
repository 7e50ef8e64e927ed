package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeOptions;

/**
 * What can be chosen of parameter servers.
 *
 * @param dedicated how many ranks serve and compute nothing, behind those that compute; 0 to have
 *     every worker serve as well
 * @param consistency what workers wait for
 */
public record ServerOptions(int dedicated, Consistency consistency)
    implements ExchangeOptions.Choice {

  /** Every worker serves, and all wait for each other. */
  public static final ServerOptions DEFAULT = new ServerOptions(0, Consistency.SYNC);

  @Override
  public ExchangeOptions in(ExchangeOptions options) {
    return options
        .with(ExchangeOptions.SERVERS, dedicated)
        .with(ParameterServersDescriptor.CONSISTENCY, consistency);
  }
}
