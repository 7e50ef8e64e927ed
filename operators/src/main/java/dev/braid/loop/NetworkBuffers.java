package dev.braid.loop;

import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.util.ConfigurationParserUtils;

/** Flink's network buffers in the process of a task. */
final class NetworkBuffers {

  private NetworkBuffers() {}

  /**
   * Returns the size of a network buffer, in bytes: {@code taskmanager.memory.segment-size} of this
   * TaskManager, read in the same way as its network stack reads it. The client that submitted the
   * job may have another value.
   */
  static int bytes(Environment environment) {
    return ConfigurationParserUtils.getPageSize(
        environment.getTaskManagerInfo().getConfiguration());
  }
}
