package dev.braid.job.cluster;

import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/**
 * The tests that share one {@link SessionCluster}, which requires one JVM for all of them. Those
 * that need the most TaskManagers come first, so that few are started again.
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
