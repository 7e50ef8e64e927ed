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

  /** Whether the JVM has the option, and with this value. */
  public static boolean is(String name, String value) {
    try {
      return Optional.ofNullable(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class))
          .map(bean -> bean.getVMOption(name).getValue())
          .filter(value::equals)
          .isPresent();
    } catch (IllegalArgumentException | LinkageError e) {
      return false;
    }
  }
}
