package dev.braid.exchange.server;

/** How far apart a parameter server lets its workers be. */
public enum Consistency {
  /** One step for the gradients of all workers. */
  SYNC("sync"),
  /** A step for each gradient, at each worker's own pace (Downpour). */
  ASYNC("async"),
  /** As ASYNC, but no worker is ahead by more than τ (stale synchronous parallel). */
  SSP("ssp");

  private final String title;

  Consistency(String title) {
    this.title = title;
  }

  /** The name on the command line. */
  public String title() {
    return title;
  }
}
