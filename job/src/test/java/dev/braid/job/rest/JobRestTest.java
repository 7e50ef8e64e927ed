package dev.braid.job.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of Flink 2.2, shortened. */
class JobRestTest {

  private static final long SECOND = 1_000_000_000L;

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private HttpServer server;
  private FlinkRest flink;
  private JobRest job;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer = answers.getOrDefault(exchange.getRequestURI().getPath(), "");
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              answer.isEmpty() ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    flink = FlinkRest.at("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    job = new JobRest(flink, "ab12");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void state(String state, String tasks) {
    answers.put(
        "/jobs/ab12",
        """
        {"jid":"ab12","name":"Braid: ring","state":"%s","vertices":[
          {"id":"1","parallelism":4,"tasks":{"SCHEDULED":0,"RUNNING":1,"FINISHED":0}},
          {"id":"2","parallelism":1,"tasks":%s}]}
        """
            .formatted(state, tasks));
  }

  @Test
  void aJobThatRuns() throws Exception {
    state("RUNNING", "{\"RUNNING\":1}");
    answers.put(
        "/jobs/ab12/accumulators",
        """
        {"job-accumulators":[],"user-task-accumulators":[
          {"name":"braid.status","type":"TextAccumulator","value":"{}"}]}
        """);
    answers.put(
        "/jobs/ab12/exceptions",
        """
        {"exceptionHistory":{"entries":[
          {"exceptionName":"x.A","stacktrace":"x.A: old\\n\\tat b","timestamp":5,"taskName":null,
           "endpoint":null},
          {"exceptionName":"x.A","stacktrace":"x.A: new\\n\\tat b","timestamp":7,"taskName":"Worker (1/4)",
           "endpoint":"10.0.0.3:41234","concurrentExceptions":[]}],"truncated":false}}
        """);
    answers.put(
        "/jobs/ab12/checkpoints",
        """
        {"counts":{"restored":1,"total":9,"in_progress":0,"completed":6,"failed":3},
         "latest":{
          "completed":{"id":6,"external_path":"file:/c/ab12/chk-6","discarded":false},
          "savepoint":{"id":2,"external_path":"file:/s/savepoint-ab12","discarded":false},
          "restored":{"id":3,"is_savepoint":false,"external_path":"file:/c/ab12/chk-3"},
          "failed":{"id":8,"failure_message":"Checkpoint expired before completing."}},
         "history":[{"id":8,"status":"FAILED"},{"id":7,"status":"FAILED"},{"id":6,"status":"COMPLETED"},
          {"id":4,"status":"FAILED"}]}
        """);

    JobSight sight = job.look(0);

    assertThat(sight.slots()).isEqualTo(4);
    assertThat(sight.allTasksRun()).isTrue();
    assertThat(sight.accumulators()).containsEntry("braid.status", "{}");
    assertThat(sight.lastFailure().causes().deepest().line()).isEqualTo("new");
    assertThat(sight.failures())
        .extracting(JobFailure::where)
        .containsExactly(Optional.of("10.0.0.3:41234"), Optional.empty());
    assertThat(sight.checkpoints())
        .isEqualTo(
            new CheckpointSight(
                Optional.of("file:/c/ab12/chk-6"),
                Optional.of("file:/s/savepoint-ab12"),
                2,
                Optional.of("Checkpoint expired before completing."),
                Optional.of("file:/c/ab12/chk-3")));
    assertThat(sight.isEnding()).isFalse();
  }

  private static String checkpoint(String place) {
    return "{\"latest\":{\"completed\":{\"id\":1,\"external_path\":\"%s\"}}}".formatted(place);
  }

  @Test
  void whatSeldomChanges_isAskedForSeldom_andWhenTheJobEnds() throws Exception {
    state("RUNNING", "{\"RUNNING\":1}");
    job.look(0);
    answers.put("/jobs/ab12/checkpoints", checkpoint("file:/c/chk-1"));
    assertThat(job.look(SECOND / 2).checkpoints().newest()).isEmpty();
    assertThat(job.look(2 * SECOND).checkpoints().newest()).contains("file:/c/chk-1");

    answers.put("/jobs/ab12/checkpoints", checkpoint("file:/c/chk-2"));
    state("CANCELED", "{\"CANCELED\":1}");
    JobSight end = job.look(2 * SECOND + 1);
    assertThat(end.checkpoints().newest()).contains("file:/c/chk-2");
    assertThat(end.wasCancelled()).isTrue();
  }

  @Test
  void aJobThatWaits_saysForHowManySlots() throws Exception {
    answers.put(
        "/jobs/ab12",
        "{\"state\":\"RUNNING\",\"vertices\":[{\"parallelism\":4,\"tasks\":{\"SCHEDULED\":4}}]}");
    answers.put(
        "/overview",
        "{\"taskmanagers\":1,\"slots-total\":2,\"slots-available\":0,\"jobs-running\":1}");

    JobSight sight = job.look(0);

    assertThat(sight.waitsForSlots()).isTrue();
    assertThat(sight.cluster()).contains(new ClusterOverview(1, 2, 0, 1));
  }

  @Test
  void aJobInMemory_hasNoPlaceToGoOnFrom() {
    CheckpointSight sight =
        CheckpointSight.parse(
            dev.braid.run.result.Json.read(
                "{\"latest\":{\"completed\":{\"id\":3,\"external_path\":\"<checkpoint-not-externally-addressable>\"},\"savepoint\":null,\"failed\":null}}",
                com.fasterxml.jackson.databind.JsonNode.class));
    assertThat(sight.newest()).isEmpty();
  }

  @Test
  void aJobThatIsNotKnown() {
    RestException unknown = catchThrowableOfType(RestException.class, () -> job.look(0));
    assertThat(unknown.isUnknown()).isTrue();
  }

  @Test
  void nobodyAnswers() {
    server.stop(0);
    assertThatThrownBy(() -> job.look(0))
        .isInstanceOf(RestException.class)
        .hasMessage("connection refused");
    RestException elsewhere =
        catchThrowableOfType(
            RestException.class, () -> FlinkRest.at("http://no-such-host.invalid:1").get("/jobs"));
    assertThat(elsewhere).hasMessage("unknown host");
    assertThat(elsewhere.isUnknown()).isFalse();
  }

  @Test
  void whatAnswersIsNoFlink() {
    answers.put("/jobs/overview", "<html>hello</html>");
    assertThatThrownBy(() -> JobRest.all(flink)).hasMessage("the answer is not Flink's");
  }

  @Test
  void theLatestJobIsTheFirst() throws Exception {
    answers.put(
        "/jobs/overview",
        """
        {"jobs":[{"jid":"a","name":"A","state":"FINISHED","start-time":1},
                 {"jid":"b","name":"B","state":"RUNNING","start-time":2}]}
        """);
    assertThat(JobRest.all(flink)).extracting(JobRest.Listed::id).containsExactly("b", "a");
  }

  @Test
  void headersAsFlinksClientTakesThem() {
    assertThat(FlinkRest.headers("Authorization: Bearer x:y\nno header\n"))
        .containsExactly("Authorization", "Bearer x:y");
  }
}
