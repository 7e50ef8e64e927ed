package dev.braid.job.cluster;

import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/**
 * The tests that share one {@link SessionCluster}, which needs one JVM for all of them. Those that
 * need most TaskManagers are first, so that few are started again.
 */
@Suite
@SelectClasses({
  RecoveryITCase.class,
  SavepointITCase.class,
  ChaosClusterITCase.class,
  BrokenCoLocationITCase.class,
  ExportedMetricsITCase.class,
  MixedKernelsITCase.class,
  ClientITCase.class
})
class SessionClusterITCase {}
