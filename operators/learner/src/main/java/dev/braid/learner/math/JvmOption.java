package dev.braid.learner.math;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * Options of this process's JVM. No option is known if the JVM is not HotSpot or has no module
 * {@code jdk.management}.
 */
public final class JvmOption {

  private JvmOption() {}

  /** Returns an option's value, if it is known. */
  public static Optional<String> value(String name) {
    try {
      return Optional.ofNullable(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class))
          .map(bean -> bean.getVMOption(name).getValue());
    } catch (IllegalArgumentException | LinkageError e) {
      return Optional.empty();
    }
  }
}
