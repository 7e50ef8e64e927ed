package dev.braid.job.rest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Asks a Flink cluster's REST interface. Who answers may be anything that listens there: an answer
 * has a time and a size, and is JSON without duplicate keys, or is none.
 */
public final class FlinkRest {

  /** A hundred TaskManagers are a hundred kilobytes. */
  static final int MOST_BYTES = 4 << 20;

  private static final int OK = 200;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final HttpClient http;
  private final String address;
  private final Duration timeout;

  /**
   * The interface at this address, which is asked for nothing yet.
   *
   * @param address where the web UI is, as in {@code http://127.0.0.1:8081}
   * @param timeout for each answer
   */
  public FlinkRest(URI address, Duration timeout) {
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
    this.address = address.toString().replaceFirst("/+$", "");
    this.timeout = timeout;
  }

  /** How many slots there are, and how many are free. */
  public ClusterOverview overview() throws IOException, InterruptedException {
    return ClusterOverview.of(get("/overview"));
  }

  /** What the check of a submission has to know. */
  public ClusterFacts facts() throws IOException, InterruptedException {
    return ClusterFacts.of(
        get("/config"),
        get("/jobmanager/config"),
        get("/jobmanager/environment"),
        get("/taskmanagers"));
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path)).timeout(timeout).build();
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() != OK) {
        throw new IOException(path + ": answered with status " + response.statusCode());
      }
      return parse(path, body.readNBytes(MOST_BYTES + 1));
    }
  }

  /** An answer as a tree. */
  static JsonNode parse(String path, byte[] body) throws IOException {
    if (body.length > MOST_BYTES) {
      throw new IOException(path + ": an answer of more than " + MOST_BYTES + " bytes");
    }
    return JSON.readTree(body);
  }
}
