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
 * The command line within a JobManager: of an application that has a cluster of its own, as on
 * Kubernetes, or of a jar that was sent by REST. An exit code would end the JobManager there, and
 * whoever watches over it would start it again, to the same end. So what keeps a job from being
 * submitted is thrown, for Flink to tell; what became of a job that was, Flink knows by itself.
 */
public final class JobManagerProgram {

  /** What kept a job from being submitted, in the words for the user. */
  public static final class NotSubmittedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSubmittedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private JobManagerProgram() {}

  /** Whether this process is a JobManager that has called the main method. */
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
   * @throws NotSubmittedException if it was a mistake or failed; a job that fails is no such
   *     failure
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
