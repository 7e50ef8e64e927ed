package dev.braid.job.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.client.deployment.application.executors.EmbeddedExecutor;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;

/**
 * The command line within a JobManager. It runs there for an application with a cluster of its own,
 * as on Kubernetes, and for a jar that was sent by REST.
 *
 * <p>An exit code would end the JobManager, and its supervisor would restart it with the same
 * result. A failure to submit a job is therefore thrown, so that Flink reports it. Flink itself
 * reports the outcome of a submitted job.
 */
public final class JobManagerProgram {

  /** Failure to submit a job, with a message for the user. */
  public static final class NotSubmittedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSubmittedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private JobManagerProgram() {}

  /** Returns whether this process is a JobManager that has called the main method. */
  public static boolean isHere() {
    return StreamExecutionEnvironment.getExecutionEnvironment()
        .getConfiguration()
        .getOptional(DeploymentOptions.TARGET)
        .filter(EmbeddedExecutor.NAME::equals)
        .isPresent();
  }

  /**
   * Runs a command.
   *
   * @throws NotSubmittedException if the command line is wrong or the command fails; a submitted
   *     job that fails does not throw
   */
  public static void run(CommandLine commandLine, String[] arguments) {
    StringWriter words = new StringWriter();
    List<Exception> failures = new ArrayList<>();
    var ofMistakes = commandLine.getParameterExceptionHandler();
    var ofFailures = commandLine.getExecutionExceptionHandler();
    commandLine.setErr(new PrintWriter(words, true));
    commandLine.setParameterExceptionHandler(
        (failure, typed) -> {
          failures.add(failure);
          return ofMistakes.handleParseException(failure, typed);
        });
    commandLine.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          failures.add(failure);
          return ofFailures.handleExecutionException(failure, command, parsed);
        });
    int unused = commandLine.execute(arguments);
    if (!failures.isEmpty()) {
      throw new NotSubmittedException(words.toString().strip(), failures.get(0));
    }
  }
}
