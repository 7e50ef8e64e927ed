package dev.braid.job.rest;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

class FlinkTlsTest {

  @Test
  void aConnectionThatFailsWithoutAWordHasAReason() {
    assertThat(FlinkTls.reason(new SSLException((String) null))).isEqualTo("TLS: null");
    assertThat(FlinkTls.reason(new SSLException("Received fatal alert: bad_certificate")))
        .startsWith("it rejects this client's certificate");
  }
}
