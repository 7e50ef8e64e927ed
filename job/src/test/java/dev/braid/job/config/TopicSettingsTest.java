package dev.braid.job.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.job.CommandRun;
import dev.braid.job.console.UsageException;
import dev.braid.learner.Shape;
import dev.braid.vector.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicSettingsTest {

  private static final String FLATS =
      """
      place: kafka:flats
      format: csv
      features:
        rooms:
        floor: {}
        area: {mean: 71.5, deviation: 28.2, fill: 70}
        city: {categories: [Berlin, Hamburg, "no"]}
        zip: {hash: 64}
        sold: {date: true, mean: 20000, deviation: 100}
        pixels: {width: 3, fill: 0}
      label: rent
      classes: [no, yes]
      missing: drop
      key: id
      holdout: 0.01
      from: {1: 4, 0: 17}
      until: 2026-11-28T10:15:00+01:00
      window: 50
      """;

  private static final String SEA =
      "place: 'kafka:sea', features: [x1, x2], label: label, classes: 2";

  @TempDir private Path folder;

  private TopicSettings of(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("data.yaml"), text);
    return DataSettings.typed(file.toString()).topic().orElseThrow();
  }

  private static TopicSettings inBraces(String text) {
    return DataSettings.typed("{" + text + "}").topic().orElseThrow();
  }

  @Test
  void aFileSaysWhatIsInARecord() throws IOException {
    TopicSettings flats = of(FLATS);
    assertThat(flats.topic()).isEqualTo("flats");
    RecordForm form = flats.form();
    assertThat(form.format()).isEqualTo(Format.CSV);
    assertThat(form.schema().columns())
        .containsExactly(
            TableColumn.numbers(0, "rooms"),
            TableColumn.numbers(1, "floor"),
            new TableColumn(2, "area", 71.5, 28.2, List.of(), false, 70),
            new TableColumn(3, "city", 0, 1, List.of("Berlin", "Hamburg", "no")),
            TableColumn.hashed(4, "zip", 64),
            new TableColumn(5, "sold", 20000, 100, List.of(), true, Double.NaN),
            new TableColumn(6, "pixels[0]", 0, 1, List.of(), false, 0),
            new TableColumn(7, "pixels[1]", 0, 1, List.of(), false, 0),
            new TableColumn(8, "pixels[2]", 0, 1, List.of(), false, 0));
    assertThat(form.schema().labels()).containsExactly(TableColumn.numbers(9, "rent"));
    assertThat(form.schema().missing()).isEqualTo(Missing.DROP);
    assertThat(form.classNames()).containsExactly("no", "yes");
    assertThat(form.key()).isEqualTo("id");
    assertThat(form.holdout()).isEqualTo(0.01);
    assertThat(form.shape()).isEqualTo(Shape.rows(74, 2));
    assertThat(flats.from()).isEqualTo(new StreamBound.Offsets(Map.of(0, 17L, 1, 4L)));
    assertThat(flats.until())
        .contains(new StreamBound.AtTime(Instant.parse("2026-11-28T09:15:00Z").toEpochMilli()));
    assertThat(flats.window()).isEqualTo(50);
  }

  @Test
  void numbersAreStandardized_andTextsAreNot() throws IOException {
    assertThat(of(FLATS).standardized()).isEmpty();
    assertThat(of(FLATS + "standardize: true").standardized())
        .containsExactly(new Range(0, 3), new Range(70, 74));
    refused(
        "place: kafka:a\nlabel: y\nclasses: 2\nfeatures: {zip: {hash: 64}}\nstandardize: true",
        5,
        "standardize numbers");
  }

  @Test
  void mostSettingsHaveDefaults() {
    TopicSettings sea = inBraces(SEA);
    assertThat(sea.form().format()).isEqualTo(Format.JSON);
    assertThat(sea.form().schema().missing()).isEqualTo(Missing.FAIL);
    assertThat(sea.form().classNames()).containsExactly("0", "1");
    assertThat(sea.form().key()).isEmpty();
    assertThat(sea.form().holdout()).isZero();
    assertThat(sea.from()).isEqualTo(new StreamBound.Earliest());
    assertThat(sea.until()).isEmpty();
    assertThat(sea.window()).isEqualTo(1000);
    assertThat(sea.lineage()).isEmpty();
    assertThat(inBraces(SEA + ", lineage: 'kafka:sea.lineage'").lineage())
        .contains("kafka:sea.lineage");
    assertThat(inBraces("place: 'kafka:t', features: {px: {width: 784}}, label: y, classes: 10"))
        .satisfies(it -> assertThat(it.form().shape()).isEqualTo(Shape.rows(784, 10)))
        .satisfies(
            it ->
                assertThat(it.form().classNames())
                    .isEqualTo(IntStream.range(0, 10).mapToObj(Integer::toString).toList()));
  }

  @Test
  void aWeightIsAFieldOfItsOwn() {
    assertThat(inBraces(SEA).form().isWeighted()).isFalse();
    TopicSettings weighted = inBraces(SEA + ", weight: w, key: w");
    assertThat(weighted.form().weight()).isEqualTo("w");
    assertThat(weighted.form().shape()).isEqualTo(Shape.rows(2, 2));
    assertThat(weighted.form().fingerprint()).isNotEqualTo(inBraces(SEA).form().fingerprint());
    for (String taken : List.of("x1", "label")) {
      assertThatThrownBy(() -> inBraces(SEA + ", weight: " + taken))
          .isInstanceOf(UsageException.class)
          .hasMessageContainingAll(taken, "twice");
    }
  }

  @Test
  void aRegressionHasNumbers() {
    TopicSettings flats =
        inBraces(
            "place: 'kafka:a', features: [x], label: [price, rent], regression: true, until: latest");
    assertThat(flats.form().regression()).isTrue();
    assertThat(flats.form().shape()).isEqualTo(new Shape(1, 1, 1, 2, Shape.Kind.VALUES));
    assertThat(flats.until()).contains(new StreamBound.Latest());
  }

  // ---- written and read again

  @ParameterizedTest
  @ValueSource(
      strings = {
        FLATS,
        "{" + SEA + ", from: latest, weight: w}",
        "{" + SEA + ", from: 2026-11-28T10:15:00Z, until: {0: 5}, format: avro}",
        "{place: 'kafka:a', features: {x: , y: {fill: 1e-3}}, label: [p, q], regression: true}",
        "{place: 'kafka:a', features: 'a, b', label: 'c', classes: 'x,y', key: a}",
        "{place: 'kafka:a', features: {\"a b: c\": {categories: ['x, y', \"\", '1.0']}}, label: y,"
            + " classes: [\"true\", 'no, yes', 01]}"
      })
  void whatIsWrittenIsReadAsTheSame(String text) throws IOException {
    TopicSettings first = of(text);
    Path file = folder.resolve("data.yaml");
    DataSettings again = DataSettings.typed(DataSettings.typed(file.toString()).inline());
    assertSame(again.topic().orElseThrow(), first);
    assertThat(again.inline()).isEqualTo(DataSettings.typed(again.inline()).inline());
    // A run file has them as nested settings.
    String indented = text.indent(2);
    Path run = Files.writeString(folder.resolve("run.yaml"), "data:\n" + indented);
    String word = RunFile.read(run.toString(), Set.of("data"), Set.of()).words().get(0);
    assertSame(DataSettings.typed(word.substring("--data=".length())).topic().orElseThrow(), first);
  }

  private static void assertSame(TopicSettings read, TopicSettings first) {
    assertThat(read.topic()).isEqualTo(first.topic());
    assertThat(read.form()).isEqualTo(first.form());
    assertThat(read.form().fingerprint()).isEqualTo(first.form().fingerprint());
    assertThat(read.from()).isEqualTo(first.from());
    assertThat(read.until()).isEqualTo(first.until());
    assertThat(read.window()).isEqualTo(first.window());
    assertThat(read.standardized()).isEqualTo(first.standardized());
  }

  // ---- mistakes

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          formatt: json | formatt format?
          format: xml | format xml json csv avro
          format: | format value
          format: [json] | format one
          missing: median | missing median fail drop
          key: [a, b] | key one
          key: [a] | key one
          weight: [a, b] | weight one
          weight: 'w[0]' | w[0]
          weight: '' | field name
          holdout: 1 | holdout 1 less
          holdout: -0.1 | holdout -0.1
          holdout: some | holdout some number
          holdout: NaN | holdout NaN
          from: yesterday | from yesterday earliest latest Z offsets
          from: 2026-11-28T10:15:00 | from 2026-11-28T10:15:00 zone
          from: 2026-11-28 | from 2026-11-28
          from: {} | from offsets
          from: {a: 1} | partition a
          from: {0: -1} | offset -1 partition 0
          from: {0: x} | offset x partition 0
          from: {0: } | 0
          from: {0: 1, 00: 2} | partition 00 twice
          from: {0: 9999999999999999999} | offset partition 0
          from: | from
          until: earliest | until earliest latest
          until: [latest] | until one
          until: {0: 0} | until later
          until: | until
          window: 0 | window 0 1
          window: 1.5 | window 1.5
          validation: 0.1 | validation files
          standardize: some | standardize some true false
          header: no | header files
          crop: 2 | crop files
          image-size: 8x8 | image-size files
          label: [b, c] | label 2 regression
          regression: maybe | regression maybe
          """)
  void aMistakeIsALineWithItsPlace(String line, String words) throws IOException {
    String rest = "features: [x]\n%sclasses: [no, yes]\n";
    String label = line.startsWith("label") ? "" : "label: y\n";
    refused("place: kafka:a\n" + line + "\n" + rest.formatted(label), 2, words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [] | features one
          30 | features 30 names
          [a, a] | features a twice
          [a, y] | y twice
          [a, 'b[0]'] | b[0] width
          [''] | field name
          {} | features one
          {a: 1} | a settings
          {a: [1]} | a settings
          {a: {men: 1}} | men mean?
          {a: {mean: x}} | mean x number
          {a: {mean: Infinity}} | mean Infinity finite
          {a: {mean: 1e999}} | mean 1e999 finite
          {a: {deviation: 0}} | deviation 0 above
          {a: {deviation: -1}} | deviation -1 above
          {a: {fill: none}} | fill none number
          {a: {date: 2026-11-28}} | date 2026-11-28 true
          {a: {hash: 1}} | hash 1 2
          {a: {hash: many}} | hash many
          {a: {hash: 99999999}} | hash 99999999
          {a: {hash: 4, mean: 1}} | mean hashed
          {a: {hash: 4, fill: 1}} | fill hashed
          {a: {categories: [x], hash: 4}} | hash categories both
          {a: {categories: [x], fill: 1}} | fill categories
          {a: {categories: [x], date: true}} | date categories
          {a: {categories: []}} | categories
          {a: {categories: [x, x]}} | categories x twice
          {a: {categories: }} | categories value
          {a: {width: 0}} | width 0 1
          {a: {width: 999999}} | width 999999
          {a: {width: 2, date: true}} | date array
          {a: {width: 2, hash: 4}} | width hashed
          {a: , 'a[0]': } | a[0] width
          {a: {width: 131071}, b: } | b more
          {a: {width: 2}, y: } | y twice
          {id: {width: 2}} | id key
          """)
  void aFeaturesMistakeIsALineWithItsPlace(String features, String words) throws IOException {
    String rest = "label: y\nclasses: [no, yes]\nkey: id\n";
    refused("place: kafka:a\nfeatures: " + features + "\n" + rest, 2, words);
  }

  private void refused(String text, int line, String words) throws IOException {
    Path file = Files.writeString(folder.resolve("data.yaml"), text);
    assertThatThrownBy(() -> DataSettings.typed(file.toString()))
        .isInstanceOf(UsageException.class)
        .message()
        .startsWith(file + ":" + line + ": ")
        .satisfies(message -> assertThat(message).contains(words.split(" ")))
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          label: y; classes: 2 | 1 | features
          features: [x]; classes: 2 | 1 | label
          features: [x]; label: y | 1 | classes regression: true
          features: [x]; label: y; classes: 1 | 4 | classes 1 2
          features: [x]; label: y; classes: [a] | 4 | classes 2
          features: [x]; label: y; classes: [a, a] | 4 | classes a twice
          features: [x]; label: y; classes: [a, ''] | 4 | classes empty
          features: [x]; label: y; classes: 2; regression: true | 4 | classes regression
          features: [x]; label: [y, y]; regression: true | 2 | y twice
          features: [x]; label: 'y[0]'; regression: true | 3 | y[0] width
          features: [größe]; format: avro; label: y; classes: 2 | 2 | größe Avro
          features: [x]; label: y; classes: 2; lineage: out | 5 | out kafka:
          features: [x]; label: y; classes: 2; lineage: kafka:a/b | 5 | kafka:a/b name
          features: [x]; label: y; classes: 2; lineage: kafka:a | 5 | kafka:a topic
          features: [x]; label: y; classes: 2; from: latest; until: latest | 6 | until later
          features: [x]; label: y; classes: 2; from: {1: 5}; until: {1: 5} | 6 | until later
          """)
  void whatIsMissingIsNamed(String settings, int line, String words) throws IOException {
    refused("place: kafka:a\n" + settings.replace("; ", "\n"), line, words);
  }

  @Test
  void timesHaveAnOrder() throws IOException {
    String times = "from: %s\nuntil: %s\n";
    String rest = "features: [x]\nlabel: y\nclasses: 2\n";
    String early = "2026-11-28T10:15:00Z";
    String late = "2026-11-28T10:15:00-01:00";
    assertThat(of("place: kafka:a\n" + times.formatted(early, late) + rest).until()).isPresent();
    refused("place: kafka:a\n" + times.formatted(late, early) + rest, 3, "until later");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka:", "kafka:a/b", "kafka:..", "kafka:a b", "kafka:ä"})
  void aTopicHasANameOfKafkas(String place) throws IOException {
    refused("place: '" + place + "'\nfeatures: [x]\nlabel: y\nclasses: 2\n", 1, place);
  }

  @Test
  void aTopicNeedsADataFile() throws IOException {
    for (String place : List.of("kafka:clicks", "kafka:clicks.yaml")) {
      CommandRun.of("train", "--data", place)
          .assertMistake("--data " + place + " data file docs/reference/topics.md");
    }
    Path run = Files.writeString(folder.resolve("run.yaml"), "seed: 1\ndata: kafka:clicks\n");
    CommandRun.of("train", "--config", run.toString())
        .assertMistake(run + ":2: --data kafka:clicks data file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format: csv",
        "key: id",
        "holdout: 0.1",
        "from: latest",
        "until: latest",
        "lineage: kafka:b"
      })
  void settingsOfATopicAreOfNoFile(String line) throws IOException {
    String key = line.substring(0, line.indexOf(':'));
    refused("place: a.csv\n" + line, 2, key + " topic");
    refused("place: mnist\n\n" + line, 3, key + " topic");
  }

  @Test
  void aFileIsNoTopic() {
    assertThat(DataSettings.typed("{place: a.csv}").topic()).isEmpty();
    assertThat(DataSettings.typed("mnist").topic()).isEmpty();
  }
}
