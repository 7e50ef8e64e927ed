package dev.braid.exchange;

import dev.braid.exchange.state.LastingState;
import java.util.List;

/**
 * An exchange of which something lasts beyond a round: residuals, clocks.
 *
 * <p>A rank reads back what it wrote before anything else happens. After another exchange than
 * before nothing is read: this one begins anew, at {@link ExchangeConfig#completedRounds()}. So it
 * is at another number of ranks, but for what is {@linkplain
 * dev.braid.exchange.state.StateKind.Rescaling made} of what those before had.
 */
public interface Stateful {

  /**
   * All that lasts, of the kinds that the {@linkplain ExchangeDescriptor#states descriptor} has.
   */
  List<LastingState> states();
}
