package dev.braid.job.page;

import dev.braid.run.result.Json;
import dev.braid.run.result.Versions;
import dev.braid.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Self-contained HTML pages: the library for plots (Chart.js) is part of the page, and its content
 * policy allows no loading. Without scripts, the text is still shown.
 */
public final class Html {

  private static final String LIBRARY = "/META-INF/resources/webjars/chart.js/%s/";

  /** In JSON: an escaped quote or backslash, or the backslash of a control character. */
  private static final Pattern ESCAPES = Pattern.compile("(\\\\[\"\\\\])|\\\\");

  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private Html() {}

  /**
   * Returns a page.
   *
   * @param name name of its template and of its script
   * @param plots data of the script's plots
   * @param parts HTML by its placeholder in the template
   */
  public static String page(String name, Object plots, Map<String, String> parts) {
    Map<String, String> all = new HashMap<>(parts);
    all.put("style", resource("/page/page.css"));
    all.put("data", data(plots));
    all.put("scripts", scripts(name));
    return PLACE
        .matcher(resource("/page/" + name + ".html"))
        .replaceAll(place -> Matcher.quoteReplacement(all.get(place.group(1))));
  }

  /**
   * Returns JSON that can neither end nor break the script element around it. Control characters in
   * texts are escaped twice, so that plots show the escapes.
   */
  private static String data(Object plots) {
    return ESCAPES
        .matcher(Json.write(plots))
        .replaceAll(
            found -> Matcher.quoteReplacement(found.group(1) == null ? "\\\\" : found.group(1)))
        .replace("<", "\\u003c");
  }

  /**
   * Returns the library with its licence, and the page's scripts. The hint for debuggers is
   * removed, because they would load another file.
   */
  private static String scripts(String name) {
    String library = LIBRARY.formatted(Versions.chartJs());
    return "<!-- Chart.js: "
        + resource(library + "LICENSE.md")
        + "-->\n<script>"
        + resource(library + "dist/chart.umd.min.js").replaceAll("//# sourceMappingURL=\\S*", "")
        + "</script>\n<script>"
        + resource("/page/charts.js")
        + "</script>\n<script>"
        + resource("/page/" + name + ".js")
        + "</script>";
  }

  /** Returns a list of pairs, without the list's own tag. */
  public static String pairs(Map<String, String> pairs) {
    return pairs.entrySet().stream()
        .map(pair -> tag("dt", pair.getKey()) + tag("dd", pair.getValue()))
        .collect(Collectors.joining("\n"));
  }

  /** Returns a text in a tag, escaped. */
  public static String tag(String name, String text) {
    return "<" + name + ">" + escape(text) + "</" + name + ">";
  }

  /** Returns an escaped text, in which neither markup nor control characters take effect. */
  public static String escape(String text) {
    return Printable.of(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String resource(String name) {
    try (InputStream in = Html.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }
}
