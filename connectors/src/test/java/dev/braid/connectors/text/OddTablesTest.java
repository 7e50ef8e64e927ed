package dev.braid.connectors.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataInFolder;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.DataLocation.Contents;
import dev.braid.connectors.text.TableOptions.Header;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables as other programs and people write them: read as intended, or rejected with a message of
 * one line.
 */
class OddTablesTest extends DataInFolder {

  private static final List<String> ROWS = rows(i -> i % 2 == 0 ? "a" : "b");

  private static List<String> rows(IntFunction<Object> label) {
    return IntStream.range(0, 40)
        .mapToObj(i -> "%d.%d,%d.5,%s".formatted(i % 5, i % 7, i % 6, label.apply(i)))
        .toList();
  }

  // ---- cases
  // ------------------------------------------------------------------------------------

  @Test
  void rowNumbersOfPandasAreIgnored() throws IOException {
    Contents pandas = resource("pandas.csv").check();
    assertThat(pandas.train().samples() + pandas.test().samples()).isEqualTo(200);
    assertThat(names(pandas))
        .containsExactly("x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "label");
    assertThat(pandas.notes()).singleElement().asString().contains("column 1");
  }

  @Test
  void aHeaderMayBeOfNumbers() throws IOException {
    Contents mixed = resource("numhead.csv").check();
    assertThat(mixed.train().samples() + mixed.test().samples()).isEqualTo(200);
    assertThat(mixed.location().classNames()).containsExactly("a", "b", "c");
    DataLocation numbers = resource("numhead9.csv").withValues();
    Contents header = numbers.check();
    assertThat(header.train().samples() + header.test().samples()).isEqualTo(200);
    assertThat(header.notes()).singleElement().asString().contains("'header: no'");
    Contents sample = numbers.withTable(TableOptions.DEFAULT.withHeader(Header.NO)).check();
    assertThat(sample.train().samples() + sample.test().samples()).isEqualTo(201);
    assertThat(sample.notes()).isEmpty();
  }

  @Test
  void labelsWithControlCharactersAreClasses() throws IOException {
    assertThat(resource("esc.csv").check().location().classNames())
        .containsExactly("\u001b[31mred", "b", "c\nd");
  }

  @Test
  void whatIsNoTextIsRefused() throws IOException {
    rejects(resource("nul.csv"), "nul.csv:50: a NUL character in column 3");
    writeBytes("utf16.csv", StandardCharsets.UTF_16LE, ROWS);
    rejects(location("utf16.csv"), "utf16.csv:1: a NUL character");
    writeBytes("bom16.csv", StandardCharsets.UTF_16, ROWS);
    rejects(location("bom16.csv"), "not UTF-8");
    writeBytes("latin.csv", StandardCharsets.ISO_8859_1, table("größe,y,kind", ROWS));
    rejects(location("latin.csv"), "not UTF-8");
    Files.writeString(folder.resolve("a.svm"), "0 1:2\n1 1:\0003\n");
    rejects(location("a.svm"), "a.svm:2: a NUL character");
  }

  // ---- first rows
  // -------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x,y,kind", "\"x\",\"y\",\"kind\"", " x , y , kind ", "\ufeffx,y,kind", "0,1,kind",
        "1,2,kind", "0,1,2", "1,2,3", "#x,y,kind", "NA,y,kind"
      })
  void namesAreFound(String header) throws IOException {
    write("a.csv", table(header, header.endsWith("d") || header.endsWith("\"") ? ROWS : numbers()));
    Contents found = location("a.csv").check();
    assertThat(found.train().samples() + found.test().samples()).isEqualTo(40);
    assertThat(((TableSchema) found.location().table()).header()).isTrue();
  }

  private static List<String> numbers() {
    return rows(i -> i % 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5,2.5,a", "0,1,a", "1,2,b", "5,6,b", "-1,0,a"})
  void aSampleIsNoHeader(String first) throws IOException {
    write("a.csv", table(first, ROWS));
    Contents found = location("a.csv").check();
    assertThat(found.train().samples() + found.test().samples()).isEqualTo(41);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1990,1991,kind", "id,2019,kind", "1.5,2.5,c", "id,2,a2"})
  void inDoubtTheUserDecides(String first) throws IOException {
    write("a.csv", table(first, ROWS));
    rejects(location("a.csv"), "a.csv:1: the first row, ");
    rejects(location("a.csv"), "'header: yes' or 'header: no'");
    Contents names =
        location("a.csv").withTable(TableOptions.DEFAULT.withHeader(Header.YES)).check();
    assertThat(names.train().samples() + names.test().samples()).isEqualTo(40);
    if (!first.startsWith("id")) {
      DataLocation sample = location("a.csv").withTable(TableOptions.DEFAULT.withHeader(Header.NO));
      assertThat(sample.check().train().samples() + sample.check().test().samples()).isEqualTo(41);
    }
  }

  @Test
  void rowNumbersAreThoseOfAnUnnamedFirstColumnOnly() throws IOException {
    write("shuffled.csv", numbered(",x,y,kind", i -> i * 7 % 40));
    assertThat(location("shuffled.csv").check().shape().features()).isEqualTo(2);
    write("counted.csv", numbered(",0,1,kind", i -> i));
    assertThat(location("counted.csv").check().shape().features()).isEqualTo(2);
    write("texts.csv", table(",colour,kind", textRows()));
    assertThat(location("texts.csv").check().shape().features()).isEqualTo(2);
    write("twice.csv", numbered(",x,y,kind", i -> i / 2));
    rejects(
        location("twice.csv"), "column 1 has no name: name it, or leave it out with 'ignore: 1'");
    write("named.csv", numbered("\"\",x,y,kind", i -> "r" + i));
    rejects(location("named.csv"), "column 1 has no name");
    DataLocation ignoring =
        location("named.csv").withTable(new TableOptions("kind", List.of("1"), List.of(), false));
    assertThat(ignoring.check().shape().features()).isEqualTo(2);
    write("label.csv", numbered("w,x,,kind", i -> i));
    rejects(
        location("label.csv").withTable(new TableOptions("3", List.of(), List.of(), false)),
        "`label` 3: the column has no name");
  }

  private static List<String> numbered(String header, IntFunction<Object> number) {
    List<String> lines = new ArrayList<>(List.of(header));
    for (int i = 0; i < ROWS.size(); i++) {
      lines.add(number.apply(i) + "," + ROWS.get(i));
    }
    return lines;
  }

  private static List<String> textRows() {
    return IntStream.range(0, 40)
        .mapToObj(i -> "%d,%s,%s".formatted(i, i % 3 == 0 ? "red" : "blue", i % 2 == 0 ? "a" : "b"))
        .toList();
  }

  @Test
  void aNameIsThereOnce() throws IOException {
    write("a.csv", table("x,x,kind", ROWS));
    rejects(location("a.csv"), "a.csv:1: columns 1 and 2 have the same name, 'x'");
    write("b.csv", table("kind,y,kind", ROWS));
    rejects(location("b.csv"), "b.csv:1: columns 1 and 3 have the same name, 'kind'");
  }

  // ---- rows and cells
  // ---------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void linesMayEndAsOnAnySystem(String end) throws IOException {
    Files.writeString(folder.resolve("a.csv"), String.join(end, table("x,y,kind", ROWS)));
    Contents found = location("a.csv").check();
    assertThat(found.train().samples() + found.test().samples()).isEqualTo(40);
  }

  @Test
  void blankLinesAndTrailingSeparatorsAreNoSamples() throws IOException {
    List<String> lines = new ArrayList<>(List.of("", "x,y,kind", "  "));
    ROWS.forEach(row -> lines.addAll(List.of(row, "")));
    write("a.csv", lines);
    assertThat(location("a.csv").check().train().samples()).isEqualTo(36);
    write("b.csv", table("x,y,kind,", ROWS.stream().map(row -> row + ",").toList()));
    Contents trailing = location("b.csv").check();
    assertThat(trailing.train().samples()).isEqualTo(36);
    assertThat(trailing.shape().features()).isEqualTo(2);
    assertThat(trailing.notes()).singleElement().asString().contains("column 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                       | no samples",
        "' \\n\\n '                | no samples",
        "x,y,kind                 | no samples",
        "1,2,a                    | 1 rows; needs 10",
        "x\\n1\\n2\\n3               | 1 column",
        "x y kind\\n1 2 a\\n3 4 b   | has 1 column",
        "# from\\nx,y,kind\\n1,2,a  | a.csv:1: 1 column, and 3 in line 2",
        "sep=;\\nx;y;z\\n1;2;a      | a.csv:1: 2 columns, and 3 in line 2",
        "x,kind\\nr1,1,a | a.csv:1: 2 columns, and 3 in line 2",
        "x,y,kind\\n1,2,a\\n1,2     | a.csv:3: 2 columns; must be 3",
        "x,y,kind\\na,b             | a.csv:2: 2 columns; must be 3",
        "x,0,1,x\\nu,2,3,v          | a.csv:1: the first row",
        "x,y,kind\\n1,2,a\\n1,2,a,b | a.csv:3: 4 columns; must be 3",
        "x,y,kind\\n1,2,a\\n,,      | a.csv:3: has no label in column 3 (kind)",
        "[{\"x\":1},{\"x\":2}]     | no samples",
        "{\"x\": 1, \"y\": 2}     | a.csv: after line 1: not CSV",
        "<html>\\n<body>           | 1 column"
      })
  void wholeTablesAreRefusedInALine(String content, String message) throws IOException {
    Files.writeString(folder.resolve("a.csv"), content.replace("\\n", "\n"));
    rejects(location("a.csv"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "0x1p3",
        "1d",
        "1f",
        "1_000",
        "5%",
        "$5",
        "true",
        "1.234.567",
        "1\u00a0000",
        "\u0661\u0662",
        "\"1,234\"",
        "\"1,5\"",
        "1e",
        "--1",
        "+",
        "."
      })
  void aNumberIsWrittenAsOne(String cell) throws IOException {
    write("a.csv", withCell(cell));
    rejects(location("a.csv"), "a.csv:5: '" + cell.replace("\"", "") + "' is not a number");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e39", "inf", "-Infinity", "INF"})
  void aNumberIsFinite(String cell) throws IOException {
    write("a.csv", withCell(cell));
    rejects(location("a.csv"), "a.csv:5: '" + cell + "' in column 1 (x) is not a finite number");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-"})
  void aNumberMayBeMissing(String cell) throws IOException {
    write("a.csv", withCell(cell));
    rejects(location("a.csv"), "a.csv:5: no number in column 1 (x): 'missing: median'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+1.5", ".5", "5.", "-0", "1E-3", "007", " 2 ", "\"3\""})
  void numbersMayBeWrittenLikeThis(String cell) throws IOException {
    write("a.csv", withCell(cell));
    assertThat(location("a.csv").check().train().samples()).isEqualTo(37);
  }

  private static List<String> withCell(String cell) {
    List<String> lines = new ArrayList<>(table("x,y,kind", ROWS));
    lines.add(4, cell + ",1,a");
    return lines;
  }

  @Test
  void decimalCommasAreNoCategories() throws IOException {
    List<String> rows =
        IntStream.range(0, 40).mapToObj(i -> "%d,5;%d;%d".formatted(i % 5, i, i % 2)).toList();
    write("a.csv", table("x;y;kind", rows));
    rejects(location("a.csv"), "a.csv: column 1 (x): '0,5': numbers need a decimal point");
    DataLocation asked =
        location("a.csv").withTable(new TableOptions("", List.of(), List.of("x"), false));
    assertThat(asked.check().train().samples()).isEqualTo(36);
  }

  /** A quote in the last column would include all later rows. */
  @ParameterizedTest
  @CsvSource({"'\"1,2,a', 1", "'1,\"2,a', 2", "'1,2,\"a', 3"})
  void aQuoteIsClosed(String row, int column) throws IOException {
    List<String> lines = new ArrayList<>(table("x,y,kind", ROWS));
    lines.add(row);
    write("end.csv", lines);
    rejects(location("end.csv"), "end.csv:42: a quote in column " + column + " is not closed");
    lines.addAll(ROWS);
    write("amid.csv", lines);
    rejects(location("amid.csv"), "amid.csv:42: a quote in column " + column + " is not closed");
  }

  /** The reader marks the end by an additional row. */
  @Test
  void theMarkOfTheEndIsRefusedInAFile() throws IOException {
    write("a.csv", table("x,y,kind", List.of("1,2,a", "\0end\0", "2,3,b")));
    rejects(location("a.csv"), "a.csv:3: a NUL character");
    write("b.csv", table("x,y,kind", List.of("1,2,a", "\0end\0")));
    rejects(location("b.csv"), "b.csv:3: a NUL character");
  }

  @Test
  void longCellsAndManyColumnsAreNamed() throws IOException {
    List<String> lines = new ArrayList<>(table("x,y,kind", ROWS));
    lines.add("1,\"" + "z".repeat(CsvFile.MAX_CELL_LENGTH + 1) + "\",a");
    write("long.csv", lines);
    rejects(location("long.csv"), "long.csv:42: more than 65536 characters in column 2");
    lines.set(lines.size() - 1, "1," + "z".repeat(4 * CsvFile.MAX_CELL_LENGTH) + ",a");
    write("longer.csv", lines);
    rejects(location("longer.csv"), "longer.csv: after line 41: more than 65536 characters");
    write("wide.csv", List.of("1" + ",1".repeat(1_000_000)));
    rejects(location("wide.csv"), "wide.csv:1: more than 131072 columns");
  }

  @Test
  void aColumnHasValues() throws IOException {
    List<String> empty = IntStream.range(0, 40).mapToObj(i -> i + ",," + i % 2).toList();
    write("a.csv", table("x,y,kind", empty));
    rejects(location("a.csv"), "a.csv: column 2 (y): no training row has a value; 'ignore: 2'");
  }

  /** Options in messages must work as they are printed. */
  @Test
  void columnsOfNumbersAsNamesAreNamedByName() throws IOException {
    write(
        "a.csv",
        table("0,1,2,kind", ROWS.stream().map(row -> "x" + row.hashCode() + "," + row).toList()));
    rejects(location("a.csv"), "'ignore: 0' leaves it out");
    DataLocation asked =
        location("a.csv").withTable(new TableOptions("", List.of("0"), List.of(), false));
    assertThat(asked.check().shape().features()).isEqualTo(2);
  }

  // ---- helpers
  // ----------------------------------------------------------------------------------

  private static List<String> names(Contents contents) {
    TableSchema schema = (TableSchema) contents.location().table();
    List<String> names = new ArrayList<>(schema.columns().stream().map(TableColumn::name).toList());
    schema.labels().forEach(label -> names.add(label.name()));
    return names;
  }

  private static List<String> table(String header, List<String> rows) {
    List<String> lines = new ArrayList<>(List.of(header));
    lines.addAll(rows);
    return lines;
  }

  private DataLocation resource(String name) throws IOException {
    try (InputStream in = OddTablesTest.class.getResourceAsStream("/cases/" + name)) {
      Files.write(folder.resolve(name), in.readAllBytes());
    }
    return location(name);
  }

  private void writeBytes(String name, Charset charset, List<String> lines) throws IOException {
    Files.write(folder.resolve(name), String.join("\n", lines).getBytes(charset));
  }
}
