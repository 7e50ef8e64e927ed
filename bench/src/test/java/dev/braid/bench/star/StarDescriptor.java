package dev.braid.bench.star;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.Allreduce;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import java.util.List;

/** {@code star}: an example of an added exchange, whose centre sums the values of all ranks. */
public final class StarDescriptor implements ExchangeDescriptor {

  static final ExchangeOption<Integer> CENTRE =
      ExchangeOption.named("centre", "RANK", ValueForm.wholeNumber(0, 63))
          .help("The rank that adds up.")
          .byDefault(0);

  @Override
  public String name() {
    return "star";
  }

  @Override
  public String summary() {
    return "allreduce by way of one rank";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(CENTRE);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    int centre = config.options().get(CENTRE);
    return new Allreduce(
        config,
        port,
        (all, vector, sums, completion) -> {
          StarBroadcast broadcast = new StarBroadcast(all.inPhase(1), sums, completion);
          StarReduce reduce =
              new StarReduce(all, centre, vector, sums, completion.andThen(broadcast::publish));
          return new Allreduce.Phases(reduce::begin, List.of(reduce, broadcast));
        });
  }
}
