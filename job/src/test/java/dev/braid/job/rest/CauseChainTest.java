package dev.braid.job.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.rest.CauseChain.Cause;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.flink.util.FlinkException;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

class CauseChainTest {

  /** Exception of Flink's client for a job that a JobManager refuses. */
  private static final String QUOTED =
      """
      org.apache.flink.util.FlinkException: Failed to execute job 'Braid'.
      \tat org.apache.flink.streaming.api.environment.StreamExecutionEnvironment.executeAsync(X.java:1)
      Caused by: org.apache.flink.runtime.rest.util.RestClientException: [Internal server error., <Exception on server side:
      org.apache.flink.runtime.client.JobSubmissionException: Failed to submit job.
      \tat org.apache.flink.runtime.dispatcher.Dispatcher.lambda$submitJob$5(Dispatcher.java:1)
      Caused by: java.lang.NoClassDefFoundError: org/nd4j/linalg/factory/Nd4j
      \tat java.base/java.lang.Class.getDeclaredMethods0(Native Method)
      \t... 13 more
      Caused by: java.lang.ClassNotFoundException: org.nd4j.linalg.factory.Nd4j
      \t... 15 more

      End of exception on server side>]
      \tat org.apache.flink.runtime.rest.RestClient.parseResponse(RestClient.java:1)
      """;

  @Test
  void causesFromTheOutermostToTheDeepest() {
    Exception failure =
        new FlinkException("outer", new IllegalStateException(new IOException("disk\nis full")));
    CauseChain chain = CauseChain.of(failure);

    assertThat(chain.causes())
        .containsExactly(
            new Cause("org.apache.flink.util.FlinkException", "outer"),
            new Cause("java.lang.IllegalStateException", "java.io.IOException: disk\nis full"),
            new Cause("java.io.IOException", "disk\nis full"));
    assertThat(chain.deepest().line()).isEqualTo("disk");
  }

  @Test
  void whatAServerSays_isDeeperThanWhatItsClientSays() {
    CauseChain chain = CauseChain.parse(QUOTED);

    assertThat(chain.deepest().line()).isEqualTo("class org.nd4j.linalg.factory.Nd4j is missing");
    assertThat(chain.find(cause -> cause.simpleType().equals("RestClientException"))).isPresent();
  }

  /** The class of the exception may be unknown in this process. */
  @Test
  void anExceptionAsFlinkSendsIt() {
    CauseChain chain =
        CauseChain.of(
            new FlinkException("outer", new SerializedThrowable(new IOException("full"))));

    assertThat(chain.deepest()).isEqualTo(new Cause("java.io.IOException", "full"));
  }

  @Test
  void whereAMessageAloneSaysNothing_theClassDoes() {
    assertThat(line(new AccessDeniedException("/x"))).isEqualTo("/x: permission denied");
    assertThat(line(new NoClassDefFoundError("a/B"))).isEqualTo("class a.B is missing");
    assertThat(line(new NoClassDefFoundError("Could not initialize class a.B")))
        .isEqualTo("Could not initialize class a.B");
    assertThat(line(new ArithmeticException())).isEqualTo("ArithmeticException");
  }

  @Test
  void wordsThatAreNoStackTrace_areACause() {
    assertThat(CauseChain.parse("Flink does not say: why").deepest().line())
        .isEqualTo("Flink does not say: why");
  }

  private static String line(Throwable failure) {
    return CauseChain.of(failure).deepest().line();
  }
}
