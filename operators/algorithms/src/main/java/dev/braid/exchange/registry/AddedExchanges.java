package dev.braid.exchange.registry;

import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Exchanges that others have added to the class path. An unusable exchange is left out and its
 * reason is recorded, so that the usable ones stay available.
 *
 * @param descriptors descriptors of the usable exchanges
 * @param refused reasons why other exchanges are unusable, one line each
 */
record AddedExchanges(List<ExchangeDescriptor> descriptors, List<String> refused) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** Options that Braid reads for any exchange, so that they must have the same form in all. */
  private static final List<ExchangeOption<?>> ASKED_OF_ALL =
      List.of(ExchangeOptions.SERVERS, ExchangeOptions.ROOT, Compression.OPTION);

  /** Returns the exchanges on the class path, in addition to Braid's own. */
  static AddedExchanges found(List<ExchangeDescriptor> own) {
    ClassLoader loader = ExchangeDescriptor.class.getClassLoader();
    return found(own, ServiceLoader.load(ExchangeDescriptor.class, loader).iterator());
  }

  static AddedExchanges found(List<ExchangeDescriptor> own, Iterator<ExchangeDescriptor> found) {
    List<ExchangeDescriptor> known = new ArrayList<>(own);
    List<String> refused = new ArrayList<>();
    boolean more = true;
    while (more) {
      try {
        more = found.hasNext();
        if (more) {
          ExchangeDescriptor next = found.next();
          mistake(next, known)
              .ifPresentOrElse(
                  mistake -> refused.add(next.getClass().getName() + ": " + mistake),
                  () -> known.add(next));
        }
      } catch (ServiceConfigurationError e) {
        refused.add(String.valueOf(e.getMessage()));
      } catch (LinkageError e) {
        // For example, an exchange for another version of Braid, or one in another class loader.
        refused.add("an exchange on the class path cannot be loaded: " + e);
        more = false;
      }
    }
    return new AddedExchanges(
        List.copyOf(known.subList(own.size(), known.size())), List.copyOf(refused));
  }

  private static Optional<String> mistake(
      ExchangeDescriptor added, List<ExchangeDescriptor> known) {
    if (!NAME.matcher(added.name()).matches()) {
      return Optional.of(
          "exchange '%s': the name must have only lower-case letters, digits and dashes"
              .formatted(added.name()));
    }
    for (ExchangeDescriptor other : known) {
      if (other.name().equals(added.name())) {
        return Optional.of("two exchanges are named " + added.name());
      }
    }
    Set<String> names = new HashSet<>();
    for (ExchangeOption<?> option : added.options()) {
      if (!names.add(option.name())) {
        return Optional.of("two options are named " + option.name());
      }
      if (!NAME.matcher(option.name()).matches()) {
        return Optional.of(
            "option '%s': the name must have only lower-case letters, digits and dashes"
                .formatted(option.name()));
      }
      if (ASKED_OF_ALL.stream()
          .anyMatch(its -> its.name().equals(option.name()) && !its.equals(option))) {
        return Optional.of(
            "option %s: Braid has another option of this name".formatted(option.name()));
      }
    }
    return Optional.empty();
  }
}
