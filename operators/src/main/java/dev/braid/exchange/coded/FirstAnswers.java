package dev.braid.exchange.coded;

/**
 * The master adds up the first answers; the samples of those who are late are not used.
 *
 * @param workers how many there are
 * @param stragglers how many of them are not waited for
 */
record FirstAnswers(int workers, int stragglers) implements CodedReduce.Rule {

  @Override
  public Decoder decoder(int parent) {
    return new Decoder.OfTheFirst(workers - stragglers);
  }

  @Override
  public boolean usesAllSamples() {
    return false;
  }

  @Override
  public boolean waitsForAll() {
    return stragglers == 0;
  }
}
