package dev.braid.job.cluster;

/** Failure of a command at a cluster; its message gives the reason in one line. */
final class ClusterFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  ClusterFailedException(String message) {
    super(message);
  }
}
