package dev.braid.k8s;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/** Settings that Flink and its operator know, with their types. */
final class KnownSettings {

  /** Prefixes of settings for a variable or a reporter with a free name. */
  private static final List<String> OPEN =
      List.of("containerized.taskmanager.env.", "metrics.reporter.prom.");

  /** Settings of the operator. */
  private static final Set<String> OF_OPERATOR =
      Set.of("job.autoscaler.enabled", "kubernetes.operator.jm-deployment.startup.probe.enabled");

  private final Map<String, ConfigOption<?>> options = new HashMap<>();

  KnownSettings() {
    for (Class<?> group :
        List.of(
            CheckpointingOptions.class,
            CoreOptions.class,
            DeploymentOptions.class,
            HeartbeatManagerOptions.class,
            HighAvailabilityOptions.class,
            JobManagerOptions.class,
            ResourceManagerOptions.class,
            RestartStrategyOptions.class,
            SecurityOptions.class,
            TaskManagerOptions.class,
            WebOptions.class)) {
      for (Field field : group.getFields()) {
        if (field.getType() == ConfigOption.class) {
          ConfigOption<?> option = option(field);
          options.put(option.key(), option);
        }
      }
    }
  }

  private static ConfigOption<?> option(Field field) {
    try {
      return (ConfigOption<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field.toString(), e);
    }
  }

  /**
   * Checks a setting.
   *
   * @throws IllegalArgumentException if no setting has this name, or its value has the wrong type
   */
  void check(String key, Configuration settings) {
    if (OPEN.stream().anyMatch(key::startsWith) || OF_OPERATOR.contains(key)) {
      return;
    }
    ConfigOption<?> option = options.get(key);
    if (option == null) {
      throw new IllegalArgumentException(key + ": Flink has no such setting");
    }
    settings.get(option);
  }
}
