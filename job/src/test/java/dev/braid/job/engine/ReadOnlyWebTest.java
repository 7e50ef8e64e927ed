package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.junit.jupiter.api.Test;

class ReadOnlyWebTest {

  /** Else the web server would take commands, and nothing would say so. */
  @Test
  void flinkFindsIt() {
    assertThat(ServiceLoader.load(InboundChannelHandlerFactory.class))
        .hasAtLeastOneElementOfType(ReadOnlyWeb.class);
  }
}
