package dev.braid.job.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.shaded.netty4.io.netty.bootstrap.ServerBootstrap;
import org.apache.flink.shaded.netty4.io.netty.channel.Channel;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelFuture;
import org.apache.flink.shaded.netty4.io.netty.channel.EventLoopGroup;
import org.apache.flink.shaded.netty4.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.flink.shaded.netty4.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.flink.shaded.netty4.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Serves the metrics of an embedded Flink to Prometheus, on the loopback address only. Flink's own
 * reporter listens on all addresses of a machine, and has no option for another address.
 *
 * <p>The JDK's HTTP server is not suitable: it reads requests in the thread that accepts
 * connections, so a client that does not finish its request blocks all others.
 */
final class LoopbackMetrics implements MetricReporter {

  static final String PORT = "port";

  static final String PATH = "/metrics";

  private static final long FAREWELL_MILLIS = 1000;

  private final MetricsText metrics = new MetricsText();
  private Optional<Channel> server = Optional.empty();

  /** Starts to listen. If this fails, Flink logs the error and runs without this reporter. */
  @Override
  // The Netty of Flink 2.3 deprecates this class of event loops, and the Netty of Flink 2.2 has no
  // other.
  @SuppressWarnings("deprecation")
  public void open(MetricConfig config) {
    int port = config.getInteger(PORT, 0);
    EventLoopGroup thread =
        new NioEventLoopGroup(1, new DefaultThreadFactory("braid-metrics", true));
    ChannelFuture bound =
        new ServerBootstrap()
            .group(thread)
            .channel(NioServerSocketChannel.class)
            .childHandler(new MetricsConnections(PATH, metrics::text))
            .bind(InetAddress.getLoopbackAddress(), port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      end(thread);
      String reason = bound.cause().getMessage();
      throw new UncheckedIOException(
          "metrics at port " + port + ": " + reason, new IOException(reason, bound.cause()));
    }
    server = Optional.of(bound.channel());
  }

  /** Returns the port on which it listens. */
  int port() {
    return ((InetSocketAddress) server.orElseThrow().localAddress()).getPort();
  }

  @Override
  public void close() {
    server.ifPresent(
        channel -> {
          var unused = channel.close().awaitUninterruptibly();
          end(channel.eventLoop().parent());
        });
  }

  /** Ends the event loop, and with it the open connections. */
  private static void end(EventLoopGroup thread) {
    boolean unused =
        thread
            .shutdownGracefully(0, FAREWELL_MILLIS, TimeUnit.MILLISECONDS)
            .awaitUninterruptibly(FAREWELL_MILLIS);
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    metrics.add(metric, name, group);
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    metrics.remove(name, group);
  }
}
