package dev.braid.job.cluster;

/** A command failed at a cluster; the message says why in one line. */
final class ClusterFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  ClusterFailedException(String message) {
    super(message);
  }
}
