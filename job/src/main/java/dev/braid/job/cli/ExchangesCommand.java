package dev.braid.job.cli;

import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code braid exchanges}: lists the exchanges, or describes one and its options. */
@Command(
    name = "exchanges",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Lists the exchanges: the ways in which workers share gradients, for 'braid "
          + "train --exchange' and 'braid compare --exchanges'.",
      "",
      "With a NAME, describes that exchange: when to choose it, its source and its options.",
      ""
    })
public final class ExchangesCommand implements Runnable {

  /** Blanks between the two columns of a list. */
  private static final int GAP = 3;

  private static final int INDENT = 2;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "Exchange to describe.")
  private Optional<String> name;

  @Override
  public void run() {
    List<String> text = name.map(this::one).orElseGet(this::all);
    PrintWriter out = spec.commandLine().getOut();
    text.forEach(out::print);
    out.flush();
  }

  private List<String> all() {
    Map<String, String> exchanges = new LinkedHashMap<>();
    ExchangeType.all().forEach(type -> exchanges.put(type.title(), type.summary()));
    String[] last =
        Stream.concat(
                ExchangeType.refused().stream()
                    .map("an exchange on the class path is ignored: "::concat),
                Stream.of(
                    "'braid exchanges NAME' describes an exchange and its options, as in 'braid "
                        + "exchanges ako'."))
            .toArray(String[]::new);
    return List.of(list(exchanges), "\n", paragraphs(last));
  }

  private List<String> one(String typed) {
    ExchangeDescriptor exchange =
        ExchangeType.named(typed.split(":", 2)[0])
            .orElseThrow(() -> UsageException.unknownName("exchange", typed, ExchangeType.titles()))
            .descriptor();
    Map<String, String> options = new LinkedHashMap<>();
    for (ExchangeOption<?> option : exchange.options()) {
      options.put(option.name() + "=" + option.valueName(), meaning(option, exchange));
    }
    String what = exchange.name() + ": " + exchange.summary() + ".";
    String source = exchange.source().isEmpty() ? "" : "Source: " + exchange.source() + ".";
    String how =
        exchange.options().stream()
            .findFirst()
            .map(
                first ->
                    "Options, as in --exchange %s:%s=%s, separated by commas:"
                        .formatted(exchange.name(), first.name(), first.valueName()))
            .orElse("It has no options.");
    return List.of(paragraphs(what, exchange.advice(), source, how), list(options));
  }

  private String list(Map<String, String> pairs) {
    int names = pairs.keySet().stream().mapToInt(String::length).max().orElse(0) + GAP;
    TextTable table =
        TextTable.forColumns(
            Help.defaultColorScheme(Help.Ansi.OFF),
            new Column(names, INDENT, Column.Overflow.SPAN),
            new Column(width() - names, INDENT, Column.Overflow.WRAP));
    pairs.forEach(table::addRowValues);
    return table.toString();
  }

  /** Returns the paragraphs with an empty line after each; leaves out empty ones. */
  private String paragraphs(String... paragraphs) {
    TextTable table =
        TextTable.forColumns(
            Help.defaultColorScheme(Help.Ansi.OFF), new Column(width(), 0, Column.Overflow.WRAP));
    table.indentWrappedLines = 0;
    for (String paragraph : paragraphs) {
      if (!paragraph.isEmpty()) {
        table.addRowValues(paragraph);
        table.addRowValues("");
      }
    }
    return table.toString();
  }

  private int width() {
    return spec.usageMessage().width();
  }

  private static String meaning(ExchangeOption<?> option, ExchangeDescriptor exchange) {
    String condition = exchange.condition(option).map(other -> "Only " + other + ". ").orElse("");
    return "%s %sValues: %s. Default: %s"
        .formatted(option.help(), condition, option.form().range(), option.defaultText());
  }
}
