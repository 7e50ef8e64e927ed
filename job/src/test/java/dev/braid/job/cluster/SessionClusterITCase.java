package dev.braid.job.cluster;

import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/** The tests that share one {@link SessionCluster}, which needs one JVM for all of them. */
@Suite
@SelectClasses({
  RecoveryITCase.class,
  SavepointITCase.class,
  ChaosClusterITCase.class,
  BrokenCoLocationITCase.class,
  MixedKernelsITCase.class,
  ClientITCase.class,
  ExportedMetricsITCase.class
})
class SessionClusterITCase {}
