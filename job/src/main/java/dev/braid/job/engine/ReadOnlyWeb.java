package dev.braid.job.engine;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.buffer.Unpooled;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelFutureListener;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelPipeline;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.DefaultFullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.FullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderValues;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpMethod;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpServerCodec;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpVersion;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.QueryStringDecoder;
import org.apache.flink.shaded.netty4.io.netty.util.ReferenceCountUtil;

/**
 * Filter that makes the embedded Flink's web server read-only.
 *
 * <p>Flink's own switches are not enough: without {@code web.submit.enable} the server accepts no
 * jars, but still {@code POST /jobs} with a job as Java objects, and {@code web.cancel.enable} only
 * hides a button. A page of any site may send such a request from the user's browser to this
 * machine. It may also read answers if its site's name is made to resolve to this machine.
 * Therefore, only reads pass, and only those addressed to this machine by the names of its loopback
 * address.
 *
 * <p>Flink finds this class as a service when it starts a web server, and requests a handler for
 * each connection. If {@link #ENABLED} is not set, as on a cluster, there is none.
 */
public final class ReadOnlyWeb implements InboundChannelHandlerFactory {

  /** Setting that {@link FlinkSettings} makes for the embedded Flink. */
  static final ConfigOption<Boolean> ENABLED =
      ConfigOptions.key("braid.web.read-only").booleanType().defaultValue(false);

  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  /** Prefix of the paths by which Flink cancels or stops a job through GET. */
  private static final String COMMAND_BY_GET = "/yarn-";

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<ChannelHandler> createHandler(
      Configuration configuration, Map<String, String> responseHeaders) {
    return configuration.get(ENABLED) ? Optional.of(new Entrance()) : Optional.empty();
  }

  /** Returns the reason to refuse a request; empty if it may pass. */
  static Optional<String> refusal(HttpMethod method, String uri, String host) {
    String name = host.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
    if (!OWN_NAMES.contains(name)) {
      return Optional.of("this server answers at localhost and 127.0.0.1 only");
    }
    if (!READS.contains(method) || isCommand(uri)) {
      return Optional.of("this server shows a run of Braid and takes no commands");
    }
    return Optional.empty();
  }

  private static boolean isCommand(String uri) {
    try {
      return new QueryStringDecoder(uri).path().contains(COMMAND_BY_GET);
    } catch (IllegalArgumentException e) {
      // The target of invalid escapes is unknown, so it is refused.
      return true;
    }
  }

  /**
   * Handler that inserts the guard directly after the codec, because Flink writes uploads to disk
   * before it checks them.
   */
  private static final class Entrance extends ChannelInboundHandlerAdapter {

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      ChannelPipeline pipeline = context.pipeline();
      pipeline.addAfter(pipeline.context(HttpServerCodec.class).name(), null, new Guard());
      pipeline.remove(this);
    }
  }

  /**
   * Handler that passes permitted requests on, answers others with a refusal and closes the
   * connection.
   */
  private static final class Guard extends ChannelInboundHandlerAdapter {

    private boolean refused;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!refused && message instanceof HttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        Optional<String> refusal = refusal(request.method(), request.uri(), host);
        refused = refusal.isPresent();
        refusal.ifPresent(reason -> answer(context, reason));
      }
      if (refused) {
        ReferenceCountUtil.release(message);
      } else {
        context.fireChannelRead(message);
      }
    }

    private static void answer(ChannelHandlerContext context, String reason) {
      byte[] text = (reason + "\n").getBytes(StandardCharsets.UTF_8);
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN, Unpooled.wrappedBuffer(text));
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
          .set(HttpHeaderNames.CONTENT_LENGTH, text.length)
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      var unused = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
  }
}
