package dev.braid.exchange;

import dev.braid.exchange.state.LastingState;
import java.util.List;

/**
 * An exchange with state that outlives a round, such as residuals and clocks.
 *
 * <p>A rank reads its own state back before anything else happens. If another exchange wrote the
 * state, none is read, and this exchange begins with its initial state at {@link
 * ExchangeConfig#completedRounds()}. With another number of ranks it does so, too, except for
 * states that are {@linkplain dev.braid.exchange.state.StateKind.Rescaling derived} from those of
 * the previous ranks.
 */
public interface Stateful {

  /**
   * Returns the states of this rank, one for each kind that the {@linkplain
   * ExchangeDescriptor#states descriptor} declares.
   */
  List<LastingState> states();
}
