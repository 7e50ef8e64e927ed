package dev.braid.loop;

import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.util.ConfigurationParserUtils;

/** The buffers of Flink's network where a task runs. */
final class NetworkBuffers {

  private NetworkBuffers() {}

  /**
   * What one holds: {@code taskmanager.memory.segment-size} of this TaskManager, read as its
   * network reads it. Whoever submitted the job may have another.
   */
  static int bytes(Environment environment) {
    return ConfigurationParserUtils.getPageSize(
        environment.getTaskManagerInfo().getConfiguration());
  }
}
