package dev.braid.job.rest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.flink.configuration.Configuration;

/**
 * Client of a Flink's REST interface with short time-outs and without retries, which are left to
 * the caller. The server may be any program that listens at the address. An answer is therefore
 * limited in time and size, and must be JSON without duplicate keys.
 *
 * <p>Flink's {@code RestClusterClient} submits jobs and finds their cluster, but does not replace
 * this class. It has no methods for exceptions, checkpoints, settings and TaskManagers, and reads
 * accumulators as serialized objects. It repeats each failed request, follows only the leading
 * JobManager of its own configuration, and does not report why a certificate is refused.
 */
public final class FlinkRest {

  /** Variable with headers for a proxy in front of the JobManager, as for Flink's own client. */
  private static final String HEADERS_VARIABLE = "FLINK_REST_CLIENT_HEADERS";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /** Longest wait for an answer. A busy JobManager may take seconds, an idle one milliseconds. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Maximum size of an answer. Exceptions of a hundred tasks, or as many TaskManagers, take a few
   * hundred kilobytes.
   */
  static final int MOST_BYTES = 16 << 20;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final int OK = 200;
  private static final int SERVER_ERRORS = 500;

  private final HttpClient http;
  private final Supplier<Optional<String>> address;

  /** Names and values in turn. */
  private final List<String> headers;

  private FlinkRest(
      Supplier<Optional<String>> address, Optional<SSLContext> tls, List<String> headers) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
    this.address = address;
    this.headers = headers;
  }

  /** Returns the client of a Flink at a URL, such as {@code http://localhost:8081}. */
  public static FlinkRest at(String url) {
    String known = url.replaceFirst("/+$", "");
    return new FlinkRest(() -> Optional.of(known), Optional.empty(), headersOf(System.getenv()));
  }

  /**
   * Returns the client of a Flink at a URL, with the keys and certificates of Flink's
   * configuration.
   *
   * @param settings {@code security.ssl.rest.*}
   * @throws RestException if the files that they name cannot be read
   */
  public static FlinkRest at(String url, Configuration settings) throws RestException {
    String known = url.replaceFirst("/+$", "");
    return at(() -> Optional.of(known), FlinkTls.of(settings));
  }

  /**
   * Returns the client of a Flink whose address may change, as with another leader.
   *
   * @param address empty while none is known
   * @param tls empty for Java's default trust
   */
  static FlinkRest at(Supplier<Optional<String>> address, Optional<SSLContext> tls) {
    return new FlinkRest(address, tls, headersOf(System.getenv()));
  }

  private static List<String> headersOf(java.util.Map<String, String> environment) {
    return headers(environment.getOrDefault(HEADERS_VARIABLE, ""));
  }

  /** Parses lines of {@code name:value} into names and values in turn. */
  static List<String> headers(String lines) {
    List<String> found = new ArrayList<>();
    for (String line : lines.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        found.add(line.substring(0, colon).strip());
        found.add(line.substring(colon + 1).strip());
      }
    }
    return found;
  }

  /** Returns the address, for messages. */
  public String address() {
    return address.get().orElse("an unknown address");
  }

  /**
   * Sends a request and returns the answer.
   *
   * @param path with a slash at its beginning
   */
  public JsonNode get(String path) throws RestException, InterruptedException {
    String base =
        address
            .get()
            .orElseThrow(() -> RestException.silence("no JobManager leads at present", null));
    return parse(send(request(base + path)));
  }

  /** Parses an answer. */
  static JsonNode parse(byte[] body) throws RestException {
    if (body.length > MOST_BYTES) {
      throw RestException.silence("an answer of more than " + MOST_BYTES + " bytes", null);
    }
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw RestException.silence("the answer is not Flink's", e);
    }
  }

  private HttpRequest request(String url) throws RestException {
    try {
      HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_TIMEOUT);
      if (!headers.isEmpty()) {
        builder.headers(headers.toArray(String[]::new));
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw RestException.silence("not a URL", e);
    }
  }

  private byte[] send(HttpRequest request) throws RestException, InterruptedException {
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        int status = response.statusCode();
        if (status >= SERVER_ERRORS) {
          // The JobManager is about to lead, or has just ceased to.
          throw RestException.silence("HTTP status " + status, null);
        }
        if (status != OK) {
          throw RestException.refusal("HTTP status " + status, status);
        }
        return body.readNBytes(MOST_BYTES + 1);
      }
    } catch (RestException e) {
      throw e;
    } catch (SSLException e) {
      throw RestException.ofTls(FlinkTls.reason(e), e);
    } catch (IOException e) {
      throw RestException.silence(reason(e), e);
    }
  }

  private static String reason(IOException e) {
    if (e instanceof HttpTimeoutException) {
      return "no answer in time";
    }
    if (e instanceof ConnectException) {
      return e.getCause() != null && e.getCause().getCause() instanceof UnresolvedAddressException
          ? "unknown host"
          : "connection refused";
    }
    return e.getMessage() == null ? "connection lost" : e.getMessage();
  }
}
