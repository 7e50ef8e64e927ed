package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** An exchange of which something lasts beyond a round: residuals, clocks. */
public interface Stateful {

  /** Writes what lasts, while this rank is quiet. */
  void writeState(DataOutput out) throws IOException;

  /**
   * Reads what {@link #writeState} wrote on this rank, before anything else happens. At another
   * number of ranks than before, or after {@linkplain StateFormat another exchange}, it is not
   * called: the exchange then begins anew, at {@link ExchangeConfig#completedRounds()}.
   */
  void readState(DataInput in) throws IOException;
}
