package dev.braid.chaos.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventFormatTest {

  private static final int RANKS = 9;

  private final JsonSchema schema = schema();

  @Property(tries = 2000)
  void whatIsWrittenIsReadAndIsInTheSchema(@ForAll("events") ChaosEvent event) throws Exception {
    String json = EventWriter.write(event);
    ChaosEvent read = EventReader.read(json.getBytes(UTF_8));
    assertThat(read).isEqualTo(event);
    read.checkFor(RANKS);
    assertThat(schema.validate(json, InputFormat.JSON)).as(json).isEmpty();
  }

  @Provide
  Arbitrary<ChaosEvent> events() {
    return Events.among(RANKS);
  }

  @Property(tries = 2000)
  void anEventComesBackFromItsForm(@ForAll("events") ChaosEvent event) throws Exception {
    for (ChaosEvent sent : List.of(event, event.withId("x").from("chaos/0/17"))) {
      byte[] form = form(sent);
      ByteArrayInputStream in = new ByteArrayInputStream(form);
      assertThat(EventForm.read(new DataInputStream(in))).isEqualTo(sent);
      assertThat(in.available()).isZero();
      DataInputStream cut = new DataInputStream(new ByteArrayInputStream(form, 0, form.length - 1));
      assertThatThrownBy(() -> EventForm.read(cut)).isInstanceOf(IOException.class);
    }
  }

  private static byte[] form(ChaosEvent event) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    EventForm.write(event, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Property(tries = 100)
  void readerAndSchemaRefuseTheSame(@ForAll long seed) {
    for (byte[] malformed : Events.malformed(seed, 20, Limits.RANKS)) {
      String json = new String(malformed, UTF_8);
      if (readerRefusesForItsText(json)) {
        assertThat(schema.validate(json, InputFormat.JSON)).as(json).isNotEmpty();
      }
    }
  }

  /** And not for what a schema cannot say: JSON that is none, or has a field twice. */
  private static boolean readerRefusesForItsText(String json) {
    try {
      EventReader.event(EventReader.tree(json));
      return false;
    } catch (InvalidEventException e) {
      return !e.getMessage().startsWith("not JSON") && !e.getMessage().startsWith("an empty event");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1]                                             | event: a JSON object is needed",
        "{`action`:`cut`}                                | \"version\" is missing",
        "{V2,`action`:`cut`,`target`:{`rank`:1}}         | version 2: a number from 1 to 1",
        "{V,`target`:{`rank`:1}}                         | \"action\" is missing",
        "{V,`action`:`sever`,`target`:{`rank`:1}}        | action \"sever\": one of cut, heal",
        "{V,`action`:`cut`}                              | \"target\" is missing",
        "{V,`action`:`cut`,`target`:{}}                  | a link, a rank, a level or random",
        "{V,`action`:`cut`,`target`:{`link`:[1,1]}}      | rank 1 has no link to itself",
        "{V,`action`:`cut`,`target`:{`link`:[1]}}        | two ranks are needed",
        "{V,`action`:`cut`,`target`:{`link`:[1,9]}}      | rank 9: there are 9 ranks, 0 to 8",
        "{V,`action`:`cut`,`target`:{`rank`:-1}}         | rank -1: a number from 0",
        "{V,`action`:`cut`,`target`:{`level`:4}}         | level 4: the tree of 9 ranks has no",
        "{V,`action`:`cut`,`target`:{`rank`:1,`x`:2}}    | target: unknown field \"x\"",
        "{V,`action`:`cut`,`target`:{`rank`:1},`p`:0.1}  | event: unknown field \"p\"",
        "{V,`action`:`cut`,`target`:{`rank`:1.5}}        | rank: a whole number is needed",
        "{V,`action`:`drop`,`target`:{`rank`:1}}         | \"probability\" is missing",
        "{V,`action`:`drop`,`target`:{`rank`:1},`probability`:1.5} | probability 1.5: more than 0 and",
        "{V,`action`:`drop`,`target`:{`rank`:1},`probability`:1e999} | probability Infinity",
        "{V,`action`:`heal`,`target`:{`rank`:1},`forMillis`:5} | unknown field \"forMillis\"",
        "{V,`action`:`isolate`,`target`:{`link`:[1,2]}}  | a rank, a level or random is needed",
        "{V,`action`:`straggle`,`target`:{`rank`:1},`factor`:0.5} | factor 0.5: more than 1 and",
        "{V,`action`:`cut`,`target`:{`random`:{`seed`:1,`count`:99}}} | count 99: there are 8 links",
        "{V,`action`:`cut`,`target`:{`rank`:1},`start`:{`round`:1,`afterMillis`:1}} | unknown field",
        "{V,`action`:`cut`,`target`:{`rank`:1},`start`:{`after`:1}} | start: round or afterMillis is needed",
        "{V,`action`:`cut`,`target`:{`rank`:1},`action`:`cut`} | not JSON: Duplicate field",
        "{V,`action`:`cut`,`target`:{`rank`:1}} {}       | not JSON: something follows the object",
        "{V,`id`:`a b`,`action`:`cut`,`target`:{`rank`:1}} | id \"a b\": 1 to 100 letters",
        "[[[[[[[[]]]]]]]]                                | not JSON: Document nesting depth",
      })
  void namesTheMistake(String spelt, String reason) {
    String json =
        spelt.replace("V2", "`version`:2").replace("V", "`version`:1").replace('`', '"').strip();
    assertThatThrownBy(() -> EventReader.read(json.getBytes(UTF_8)).checkFor(RANKS))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining(reason.strip())
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\ufeff{}",
        "a\u200bb",
        "{\"version\":1,\"action\":\"\\u001b[2J\\u202e\"}",
        "{\"version\":1,\"action\":\"cut\",\"target\":{\"rank\":1},\"\u2028\u0085\":1}",
        "{\"version\":1,\"id\":\"\udb40\udc01\"}",
      })
  void whatNobodyCanSeeIsEscapedInMessages(String json) {
    assertThatThrownBy(() -> EventReader.read(json.getBytes(UTF_8)))
        .isInstanceOf(InvalidEventException.class)
        .message()
        .contains("\\u")
        .doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
  }

  /** To JSON, and so to the schema, 6e1 and 60.0 are whole numbers. */
  @ParameterizedTest
  @ValueSource(strings = {"60", "6e1", "60.0"})
  void aWholeNumberIsOneHoweverItIsWritten(String round) throws Exception {
    String json =
        "{\"version\":1,\"action\":\"cut\",\"target\":{\"rank\":1},\"start\":{\"round\":%s}}"
            .formatted(round);
    assertThat(EventReader.read(json.getBytes(UTF_8)).start()).isEqualTo(new Start.AtRound(60));
    assertThat(schema.validate(json, InputFormat.JSON)).isEmpty();
  }

  @Test
  void refusesWhatIsTooLargeOrNoText() {
    assertThatThrownBy(() -> EventReader.read(new byte[Limits.EVENT_BYTES + 1]))
        .hasMessage("an event of 4097 bytes: at most 4096 are allowed");
    assertThatThrownBy(() -> EventReader.read(new byte[] {(byte) 0xFF}))
        .hasMessageContaining("not UTF-8");
    assertThatThrownBy(() -> EventReader.read(new byte[0])).hasMessageContaining("an empty event");
  }

  @Test
  void theExamplesOfTheDocumentationAreValid() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "chaos-events.md"));
    List<String> examples =
        Pattern.compile("^ {4}(\\{\"version\".*})$", Pattern.MULTILINE)
            .matcher(page)
            .results()
            .map((MatchResult match) -> match.group(1))
            .filter(line -> line.contains("\"target\"") && !line.contains("\"event\""))
            .toList();
    assertThat(examples).hasSizeGreaterThan(10);
    for (String example : examples) {
      EventReader.read(example.getBytes(UTF_8)).checkFor(7);
      assertThat(schema.validate(example, InputFormat.JSON)).as(example).isEmpty();
    }
  }

  private static JsonSchema schema() {
    try (InputStream in = EventReader.class.getResourceAsStream("chaos-event.schema.json")) {
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(in);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
