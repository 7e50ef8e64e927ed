package dev.braid.job.options;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.UnknownWordException;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * How many workers there are and how they share gradients, as it is typed. The options of exchanges
 * are those that their descriptors have.
 */
final class SharingFlags {

  private static final int DEFAULT_WORKERS = 4;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final ExchangeType DEFAULT_EXCHANGE = ExchangeType.RING;

  /** What is typed, by the option's name. */
  private final Map<String, String> typed = new LinkedHashMap<>();

  /** Options of added exchanges that the command has, as something else. */
  private final Set<ExchangeOption<?>> taken = new HashSet<>();

  /** Adds the options to a command line, as a group of help. */
  void addTo(CommandSpec command, int order) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .exclusive(false)
            .validate(false)
            .heading("%nHow to share the work%n")
            .order(order);
    group.addArg(
        flag(
            "--workers",
            "N|MIN..MAX",
            "Replicas of the model, each in a slot of Flink. On a cluster with the adaptive scheduler,"
                + " a run goes on with fewer where slots are lost, and with all when they are back:"
                + " with MIN at least; without it, with one at least.",
            String.valueOf(DEFAULT_WORKERS)));
    group.addArg(
        flag("--exchange", "NAME", "How workers share gradients.", DEFAULT_EXCHANGE.title())
            .toBuilder()
            .description(exchanges())
            .build());
    for (ExchangeOption<?> option : ExchangeType.allOptions()) {
      if (command.findOption(option.typed()) != null) {
        taken.add(option);
        continue;
      }
      group.addArg(flag(option.typed(), option.valueName(), option.help(), option.defaultText()));
    }
    group.addArg(
        flag(
            PlannedTree.OPTION,
            "FOLDER",
            "Coded: chooses --tree-children and --stragglers by how long gradients and answers took in an earlier run of this model and batch, by its --out folder, so that a round takes the least time.",
            "the options as they are"));
    command.addArgGroup(group.build());
  }

  /**
   * The tree, if it is to be chosen by an earlier run.
   *
   * @param batch samples of a gradient
   * @throws UsageException if that run cannot tell, or a tree is given, too
   */
  Optional<PlannedTree> plan(int batch, String model) {
    if (!typed.containsKey(PlannedTree.OPTION) || exchange() != ExchangeType.CODED) {
      return Optional.empty();
    }
    for (ExchangeOption<?> chosen :
        List.of(CodedOptions.CHILDREN, CodedOptions.STRAGGLERS, CodedOptions.LAYERS)) {
      if (typed.containsKey(chosen.typed())) {
        throw new UsageException(
            "%s %s: %s chooses that: leave one of them out"
                .formatted(chosen.typed(), typed.get(chosen.typed()), PlannedTree.OPTION));
      }
    }
    String place = typed.get(PlannedTree.OPTION);
    return Optional.of(PlannedTree.from(place, options(batch), model));
  }

  /** The run that chooses the tree, as it was typed. */
  Optional<String> planFrom() {
    return Optional.ofNullable(typed.get(PlannedTree.OPTION));
  }

  WorkerBounds bounds() {
    return WorkerBounds.parse(typed.getOrDefault("--workers", String.valueOf(DEFAULT_WORKERS)));
  }

  /**
   * The exchange.
   *
   * @throws UsageException if there is none of that name
   */
  ExchangeType exchange() {
    String name = typed.getOrDefault("--exchange", DEFAULT_EXCHANGE.title());
    ExchangeType exchange = ExchangeType.named(name).orElseThrow(() -> unknown(name));
    for (ExchangeOption<?> option : exchange.descriptor().options()) {
      if (taken.contains(option)) {
        throw new UsageException(
            "--exchange %s: its option %s is one of braid train's own; its author is to call it"
                    .formatted(name, option.typed())
                + " otherwise");
      }
    }
    return exchange;
  }

  /** Of one that is typed as for {@code compare}, too. */
  private static UsageException unknown(String name) {
    int colon = name.indexOf(':');
    return ExchangeType.named(name.substring(0, Math.max(0, colon)))
        .map(
            exchange ->
                new UsageException(
                    "--exchange %s: what is behind a colon is for compare; here it is --exchange %s%s"
                        .formatted(name, exchange.title(), options(exchange))))
        .orElseGet(() -> UsageException.unknownName("--exchange", name, ExchangeType.titles()));
  }

  private static String options(ExchangeType exchange) {
    String typed =
        exchange.descriptor().options().stream()
            .map(option -> option.typed() + " " + option.valueName())
            .collect(Collectors.joining(", "));
    return typed.isEmpty() ? "" : ", with " + typed;
  }

  /**
   * What is chosen of the exchange.
   *
   * @param batch samples of a gradient
   * @throws UsageException if a value is impossible
   */
  ExchangeOptions options(int batch) {
    if (batch < 1) {
      throw new UsageException("--batch " + batch + ": 1 or more is needed");
    }
    ExchangeOptions options = ExchangeOptions.defaults(bounds().most()).withBatch(batch);
    for (ExchangeOption<?> option : ExchangeType.allOptions()) {
      if (typed.containsKey(option.typed())) {
        ExchangeOptions chosen = chosen(options, option);
        options = exchange().descriptor().options().contains(option) ? chosen : options;
      }
    }
    return options;
  }

  /** The same options on links that the run makes slow: what a mesh's are like is known then. */
  ExchangeOptions onLinks(ExchangeOptions options, LinkShape shape) {
    boolean areOfUse = exchange().descriptor().uses(MeshDescriptor.LINKS, options);
    if (!areOfUse || typed.containsKey(MeshDescriptor.LINKS.typed())) {
      return options;
    }
    MeshTraffic.Links usual = options.get(MeshDescriptor.LINKS);
    return options.with(
        MeshDescriptor.LINKS,
        new MeshTraffic.Links(
            Math.min(shape.bytesPerSecond(), usual.bytesPerSecond()),
            usual.latencySeconds() + shape.latencyNanos() / NANOS_PER_SECOND));
  }

  private <T> ExchangeOptions chosen(ExchangeOptions options, ExchangeOption<T> option) {
    return options.with(option, value(option.typed(), typed.get(option.typed()), option.form()));
  }

  private static <T> T value(String option, String text, ValueForm<T> form) {
    try {
      return form.reader().apply(text);
    } catch (UnknownWordException e) {
      throw UsageException.unknownName(option, text, e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " " + text + ": " + e.getMessage(), e);
    }
  }

  /** A line for each. */
  private static String[] exchanges() {
    List<String> lines = new ArrayList<>(List.of("How workers share gradients:"));
    ExchangeType.all().forEach(type -> lines.add(type.title() + ": " + type.summary()));
    lines.add("Default: " + DEFAULT_EXCHANGE.title());
    return lines.toArray(String[]::new);
  }

  private OptionSpec flag(String name, String value, String help, String byDefault) {
    return OptionSpec.builder(name)
        .paramLabel(value)
        .type(String.class)
        .description(help.replace("%", "%%"), "Default: " + byDefault)
        .setter(
            new ISetter() {
              @Override
              @SuppressWarnings("TypeParameterUnusedInFormals")
              public <T> T set(T text) {
                if (text == null) {
                  typed.remove(name);
                } else {
                  typed.put(name, (String) text);
                }
                return text;
              }
            })
        .build();
  }
}
