package dev.braid.exchange.server;

/** Consistency models of parameter servers: how far apart workers may be. */
public enum Consistency {
  /** One step for the sum of all workers' gradients. */
  SYNC("sync"),
  /** One step for each gradient, at each worker's own pace (Downpour). */
  ASYNC("async"),
  /** Like ASYNC, but no worker is more than τ gradients ahead (stale synchronous parallel). */
  SSP("ssp");

  private final String title;

  Consistency(String title) {
    this.title = title;
  }

  /** Returns the name on the command line. */
  public String title() {
    return title;
  }
}
