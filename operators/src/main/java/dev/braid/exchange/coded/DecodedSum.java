package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;

/** Each parent decodes by its code: the sum has all samples, whoever is late. */
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
