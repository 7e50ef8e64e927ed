package dev.braid.worker;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.Piece;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import dev.braid.learner.Features;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An exchange with what tests of trainers vary of it. */
record Way(
    ExchangeType exchange, ServerOptions servers, CodedOptions.Plan plan, boolean hasRootOfItsOwn) {

  Way(ExchangeType exchange, ServerOptions servers) {
    this(exchange, servers, CodedOptions.Plan.FIXED, false);
  }

  private static Way coded(ExchangeType exchange, CodedOptions.Plan plan, boolean hasRootOfItsOwn) {
    return new Way(exchange, ServerOptions.DEFAULT, plan, hasRootOfItsOwn);
  }

  /** Every exchange, and parameter servers in all their ways. */
  static List<Way> all() {
    List<Way> ways = new ArrayList<>();
    for (ExchangeType type : ExchangeType.all()) {
      ways.add(new Way(type, ServerOptions.DEFAULT));
    }
    for (CodedOptions.Plan plan : CodedOptions.Plan.values()) {
      ways.add(coded(ExchangeType.CODED, plan, true));
    }
    ways.add(coded(ExchangeType.CODED, CodedOptions.Plan.AUTO, false));
    ways.add(coded(ExchangeType.UNCODED, CodedOptions.Plan.FIXED, true));
    for (Consistency consistency : Consistency.values()) {
      for (int servers = 0; servers < 4; servers++) {
        ways.add(new Way(ExchangeType.PS, new ServerOptions(servers, consistency)));
      }
    }
    return ways;
  }

  /** Every asynchronous exchange. */
  static List<Way> asynchronous() {
    return all().stream().filter(way -> !way.isSynchronous()).toList();
  }

  ExchangeOptions options(int ranks) {
    ExchangeOptions options =
        ExchangeOptions.defaults(hasRootOfItsOwn ? Math.max(1, ranks - 1) : ranks)
            .with(ExchangeOptions.STALENESS, 2)
            .with(servers);
    if (exchange == ExchangeType.SHARING) {
      // What is kept of a gradient is in no model.
      options = options.with(Compression.OPTION, Compression.NONE);
    }
    if (hasRootOfItsOwn) {
      options = options.with(ExchangeOptions.ROOT, ExchangeOptions.DEDICATED);
    }
    if (plan == CodedOptions.Plan.AUTO) {
      return options.with(CodedOptions.PLAN, plan);
    }
    // Which samples are used is not to depend on who is late.
    return exchange == ExchangeType.DROP_STRAGGLERS
        ? options.with(CodedOptions.STRAGGLERS, 0)
        : options;
  }

  /** Whether a second run ends with the same bits. */
  boolean isRepeatable(int ranks) {
    return exchange.descriptor().isRepeatable(options(ranks));
  }

  /** Who computes whose samples, where several workers compute the same. */
  Optional<CodeTree> codes(int workers) {
    return exchange.descriptor().codes(options(workers + dedicated()), workers);
  }

  /** What each worker computes of these batches, which have the samples in its account. */
  List<List<Batch>> shared(List<List<Batch>> batches) {
    Optional<CodeTree> codes = codes(batches.size());
    if (codes.isEmpty()) {
      return batches;
    }
    List<List<Batch>> shared = new ArrayList<>();
    for (int worker = 0; worker < batches.size(); worker++) {
      List<Batch> own = new ArrayList<>();
      for (int round = 0; round < batches.get(worker).size(); round++) {
        own.add(shared(codes.get(), worker, round, batches));
      }
      shared.add(own);
    }
    return shared;
  }

  private static Batch shared(CodeTree codes, int worker, int round, List<List<Batch>> batches) {
    Batch account = batches.get(worker).get(round);
    int[] all = batches.stream().flatMapToInt(it -> Arrays.stream(it.get(round).ids())).toArray();
    List<Integer> ids = new ArrayList<>();
    List<Float> coefficients = new ArrayList<>();
    List<Piece> pieces = all.length == 0 ? List.of() : new Allocation(codes, all.length).of(worker);
    for (Piece piece : pieces) {
      for (int i = piece.start(); i < piece.end(); i++) {
        ids.add(all[i]);
        coefficients.add((float) piece.coefficient());
      }
    }
    float[] factors = new float[ids.size()];
    for (int i = 0; i < factors.length; i++) {
      factors[i] = coefficients.get(i);
    }
    return new Batch(
            account.epoch(),
            ids.stream().mapToInt(Integer::intValue).toArray(),
            Features.NONE,
            new int[ids.size()],
            account.lastOfEpoch())
        .combined(new Combination(factors, account.ids(), all.length));
  }

  boolean isSynchronous() {
    return exchange.isSynchronous(options(1));
  }

  int dedicated() {
    return servers.dedicated() + (hasRootOfItsOwn ? 1 : 0);
  }
}
