package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.RingDescriptor;
import dev.braid.exchange.async.GossipDescriptor;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

/** Tests that an unusable exchange on the class path does not affect the others. */
class AddedExchangesTest {

  private static final ExchangeOption<Boolean> OTHER_SERVERS =
      ExchangeOption.named("servers", "on|off", ValueForm.onOff()).help("Help.").byDefault(true);

  private static final List<ExchangeDescriptor> OWN =
      List.of(new RingDescriptor(), new GossipDescriptor());

  private record Added(String name, List<ExchangeOption<?>> options) implements ExchangeDescriptor {

    @Override
    public String summary() {
      return "of a test";
    }

    @Override
    public boolean isSynchronous(ExchangeOptions chosen) {
      return true;
    }

    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void whatCanBeUsedIsAdded_besideWhatCannot() {
    Added good = new Added("mine", List.of(ExchangeOptions.STALENESS));
    AddedExchanges found =
        found(
            new Added("ring", List.of()),
            new Added("Not a name", List.of()),
            good,
            new Added("mine", List.of()),
            new Added("other", List.of(OTHER_SERVERS)),
            new Added("twice", List.of(ExchangeOptions.ROOT, ExchangeOptions.ROOT)));

    assertThat(found.descriptors()).containsExactly(good);
    assertThat(found.refused())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("are named ring"),
            line -> assertThat(line).contains("'Not a name'"),
            line -> assertThat(line).endsWith("are named mine"),
            line -> assertThat(line).contains("servers"),
            line -> assertThat(line).contains("root"));
  }

  @Test
  void oneThatIsNotThereIsTold() {
    Iterator<ExchangeDescriptor> missing =
        new Iterator<>() {
          private int asked;

          @Override
          public boolean hasNext() {
            return asked < 2;
          }

          @Override
          public ExchangeDescriptor next() {
            asked++;
            if (asked == 1) {
              throw new ServiceConfigurationError("Provider missing.Exchange not found");
            }
            return new Added("mine", List.of());
          }
        };
    AddedExchanges found = AddedExchanges.found(OWN, missing);
    assertThat(found.refused()).containsExactly("Provider missing.Exchange not found");
    assertThat(found.descriptors()).extracting(ExchangeDescriptor::name).containsExactly("mine");
  }

  private static AddedExchanges found(ExchangeDescriptor... added) {
    return AddedExchanges.found(OWN, List.of(added).iterator());
  }
}
