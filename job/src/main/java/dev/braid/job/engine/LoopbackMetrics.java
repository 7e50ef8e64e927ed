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
 * Shows an embedded Flink's metrics to Prometheus, to this machine alone. Flink's own reporter
 * listens on all addresses of a machine, and cannot be told otherwise.
 *
 * <p>The JDK's server would not do: it reads requests in the thread that takes connections, so that
 * one client that does not finish its request is the last that is answered.
 */
final class LoopbackMetrics implements MetricReporter {

  static final String PORT = "port";

  static final String PATH = "/metrics";

  private static final long FAREWELL_MILLIS = 1000;

  private final MetricsText metrics = new MetricsText();
  private Optional<Channel> server = Optional.empty();

  /** Begins to listen; where that fails, Flink says so in its log and goes on without. */
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

  /** Where it listens. */
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

  /** Ends what is still connected, too. */
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
