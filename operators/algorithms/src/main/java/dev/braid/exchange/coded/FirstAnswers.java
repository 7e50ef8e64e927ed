package dev.braid.exchange.coded;

/**
 * Rule by which the master adds the first answers; the samples of late workers are not used.
 *
 * @param workers number of workers
 * @param stragglers number of workers that the master does not wait for
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
