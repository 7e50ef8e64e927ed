package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.rest.JobRest;
import dev.braid.run.result.RunGoal;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster's job. The cluster gives shortened answers of Flink 2.2, or does not answer. */
class JobWatchTest {

  private static final String JOB = "/jobs/ab12";
  private static final Map<String, String> ANSWERS =
      Map.of(
          JOB,
          "{\"name\":\"Braid\",\"state\":\"RUNNING\",\"vertices\":[{\"parallelism\":1,\"tasks\":{\"RUNNING\":1}}]}",
          JOB + "/checkpoints",
          "{\"latest\":{\"completed\":{\"id\":6,\"external_path\":\"file:/c/ab12/chk-6\"}}}",
          "/config",
          "{\"refresh-interval\":3000}");

  /** Answer about checkpoints after the cluster has renewed its cache. */
  private static final String WITH_SAVEPOINT =
      "{\"latest\":{\"savepoint\":{\"id\":7,\"external_path\":\"file:/c/savepoint-ab12-1\"}}}";

  private static final int LOOKS_AT_OLD_ANSWERS = 4;

  private static final RunGoal GOAL =
      new RunGoal(
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalInt.empty(),
          2,
          RunGoal.Required.NOTHING,
          Double.NaN,
          false);

  private final Terminal terminal =
      new Terminal(
          new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8),
          false,
          false,
          () -> 80);

  /** Number of queries of the job, the first of which is answered. */
  private final AtomicInteger looks = new AtomicInteger();

  private volatile int looksWithoutAnswer;
  private volatile String end = "CANCELED";
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          int look = path.equals(JOB) ? looks.incrementAndGet() : looks.get();
          boolean isSilent = look > 1 && look <= 1 + looksWithoutAnswer;
          String state = look > 1 ? end : "RUNNING";
          boolean isOld = look <= LOOKS_AT_OLD_ANSWERS;
          String stateNow =
              "%s\",\"now\":%d,\"end-time\":9000,\"v".formatted(state, isOld ? 11_900 : 12_100);
          String text =
              path.endsWith("/checkpoints") && end.equals("FINISHED") && !isOld
                  ? WITH_SAVEPOINT
                  : ANSWERS.getOrDefault(path, "{}");
          byte[] answer = text.replace("RUNNING\",\"v", stateNow).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(isSilent ? 503 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private JobEnd follow(Duration timeout) throws Exception {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return JobWatch.ofClusterJob(
            new JobRest(FlinkRest.at(url), "ab12"),
            new ProgressView(terminal, System.nanoTime()),
            timeout)
        .follow();
  }

  @Test
  void aClusterThatDoesNotAnswerAnyMore_endsTheClient_whichNamesTheLastCheckpoint()
      throws Exception {
    looksWithoutAnswer = Integer.MAX_VALUE - 1;
    JobEnd lost = follow(Duration.ofMillis(500));

    assertThat(lost).isInstanceOf(JobEnd.Unanswered.class);
    List<String> resumed = new ArrayList<>();
    RunEnd told =
        new RunEnd(
            terminal,
            GOAL,
            Optional.empty(),
            place -> {
              resumed.add(place);
              return "a command";
            });
    assertThat(told.ofClusterJob(lost, "ab12", "http://gone")).isEqualTo(ExitCodes.FAILED);
    assertThat(resumed).containsExactly("/c/ab12/chk-6");
  }

  @Test
  void aClusterThatAnswersAgainInTime_isFollowed() throws Exception {
    looksWithoutAnswer = 3;
    assertThat(follow(Duration.ofMinutes(2))).isInstanceOf(JobEnd.Cancelled.class);
  }

  /** Flink may report the end of a job seconds before it reports the last savepoint. */
  @Test
  void aJobThatIsStopped_endsWithItsSavepoint() throws Exception {
    end = "FINISHED";
    assertThat(follow(Duration.ofMinutes(2)))
        .isInstanceOfSatisfying(
            JobEnd.Stopped.class,
            stopped ->
                assertThat(stopped.checkpoints().savepoint()).contains("file:/c/savepoint-ab12-1"));
  }
}
