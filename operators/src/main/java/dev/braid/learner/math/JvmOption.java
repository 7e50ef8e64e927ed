package dev.braid.learner.math;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * What this process's JVM says of its own options. Of one that is not HotSpot, or has no module
 * {@code jdk.management}, nothing is known.
 */
public final class JvmOption {

  private JvmOption() {}

  /** The option's value, if it is known. */
  public static Optional<String> value(String name) {
    try {
      return Optional.ofNullable(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class))
          .map(bean -> bean.getVMOption(name).getValue());
    } catch (IllegalArgumentException | LinkageError e) {
      return Optional.empty();
    }
  }
}
