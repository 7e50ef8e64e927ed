package dev.braid.job.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.flink.shaded.netty4.io.netty.buffer.Unpooled;
import org.apache.flink.shaded.netty4.io.netty.channel.Channel;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelFutureListener;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInitializer;
import org.apache.flink.shaded.netty4.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.socket.SocketChannel;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.DefaultFullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.FullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderValues;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpObject;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpServerCodec;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpVersion;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.QueryStringDecoder;

/**
 * Connections of clients that request metrics. Each connection has one request, and ends with the
 * answer. Clients are not trusted: requests have a few kilobytes, connections last a few seconds,
 * and beyond {@link #MOST} connections the oldest is closed. So no client can block others, and the
 * memory that they take from the training process is bounded.
 *
 * <p>An instance and all its connections belong to one thread.
 */
final class MetricsConnections extends ChannelInitializer<SocketChannel> {

  /** Maximum number of open connections. */
  static final int MOST = 64;

  private static final int MAX_LINE = 4096;
  private static final int MAX_HEADERS = 8192;
  private static final int CHUNK = 8192;

  /** Lifetime of a connection; an answer on this machine takes less. */
  private static final long LIFE_SECONDS = 10;

  private final String path;
  private final Supplier<String> metrics;
  private final Queue<Channel> open = new ArrayDeque<>();

  MetricsConnections(String path, Supplier<String> metrics) {
    this.path = path;
    this.metrics = metrics;
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    if (open.size() >= MOST) {
      close(open.remove());
    }
    open.add(channel);
    var end = channel.eventLoop().schedule(() -> close(channel), LIFE_SECONDS, TimeUnit.SECONDS);
    var unused =
        channel
            .closeFuture()
            .addListener(
                closed -> {
                  open.remove(channel);
                  end.cancel(false);
                });
    channel
        .pipeline()
        .addLast(new HttpServerCodec(MAX_LINE, MAX_HEADERS, CHUNK))
        .addLast(new Answer());
  }

  private static void close(Channel channel) {
    var unused = channel.close();
  }

  private final class Answer extends SimpleChannelInboundHandler<HttpObject> {

    private boolean answered;

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
      if (!answered && message instanceof HttpRequest request) {
        answered = true;
        FullHttpResponse answer = answer(request);
        var unused = context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
      }
    }

    /** Closes the connection: the client has probably closed its end. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      close(context.channel());
    }
  }

  private FullHttpResponse answer(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return text(HttpResponseStatus.BAD_REQUEST, "not a request, or too long");
    }
    String host = request.headers().get(HttpHeaderNames.HOST, "");
    Optional<String> refusal = ReadOnlyWeb.refusal(request.method(), request.uri(), host);
    if (refusal.isPresent()) {
      return text(HttpResponseStatus.FORBIDDEN, refusal.get() + "\n");
    }
    // A URI with invalid escapes has been refused above.
    return new QueryStringDecoder(request.uri()).path().equals(path)
        ? text(HttpResponseStatus.OK, metrics.get())
        : text(HttpResponseStatus.NOT_FOUND, "metrics are at " + path + "\n");
  }

  private static FullHttpResponse text(HttpResponseStatus status, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(bytes));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, bytes.length)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    return response;
  }
}
