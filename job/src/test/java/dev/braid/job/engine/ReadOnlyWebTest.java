package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.junit.jupiter.api.Test;

class ReadOnlyWebTest {

  /** Otherwise the web server would accept commands, unnoticed. */
  @Test
  void flinkFindsIt() {
    assertThat(ServiceLoader.load(InboundChannelHandlerFactory.class))
        .hasAtLeastOneElementOfType(ReadOnlyWeb.class);
  }
}
