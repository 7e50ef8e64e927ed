package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;

/**
 * Rule by which each parent decodes with its code: the sum covers all samples regardless of
 * stragglers.
 */
record DecodedSum(CodeTree codes) implements CodedReduce.Rule {

  @Override
  public Decoder decoder(int parent) {
    return new Decoder.OfCode(codes.codeOf(parent));
  }

  @Override
  public boolean usesAllSamples() {
    return true;
  }

  @Override
  public boolean waitsForAll() {
    return codes.stragglers() == 0;
  }
}
