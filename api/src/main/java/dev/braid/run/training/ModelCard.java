package dev.braid.run.training;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.FeatureStream;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.image.ChannelScale;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.text.Labels;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.learner.Shape;
import dev.braid.learner.network.RunningScales;
import dev.braid.run.result.Json;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Description of the samples that a model expects: the file {@code model.json} next to {@code
 * model.zip}, which is needed to score samples with the model.
 *
 * @param version version of the file's form: 1
 * @param model the preset's name or the file that the model was made from
 * @param data what the model was trained on
 * @param input shape of a sample, whose numbers are ordered by channel, then by row; a row of a
 *     table has one channel and a height of 1
 * @param divisor divisor of the data's numbers: 255 for the bytes of images, else 1
 * @param classes label of each output, if outputs are classes
 * @param values otherwise, the column of each output and the scale of its numbers
 * @param table conversion of a row to a sample, if the data was a table
 * @param images further processing of images, if there is any
 */
public record ModelCard(
    int version,
    String model,
    String data,
    Input input,
    int divisor,
    Optional<List<String>> classes,
    Optional<List<CardFeature>> values,
    Optional<Table> table,
    Optional<Images> images) {

  /** Name of the file. */
  public static final String FILE = "model.json";

  /** Divisor of the bytes of images, which are 0 to 255. */
  private static final int PIXELS = 255;

  private static final int VERSION = 1;

  /** Maximum length of the file. */
  private static final long MAX_BYTES = 64 << 20;

  private static final long MAX_FEATURES = 1 << 24;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  /** Shape of a sample. */
  public record Input(int channels, int height, int width) {}

  /**
   * Columns of a table, numbered from 1.
   *
   * @param header whether the first row has names
   * @param columns number of columns of a row
   * @param label the column of the class, if there is one
   * @param labelName name of that column; empty if it has none
   * @param features columns of the features, in the order of the sample's numbers
   * @param missing how cells without a number are processed, unless they are a mistake
   */
  record Table(
      boolean header,
      int columns,
      Optional<Integer> label,
      Optional<String> labelName,
      List<CardFeature> features,
      Optional<String> missing) {

    static Table of(TableSchema schema, boolean hasValues) {
      Optional<TableColumn> label =
          hasValues ? Optional.empty() : Optional.of(schema.labels().get(0));
      return new Table(
          schema.header(),
          schema.width(),
          label.map(it -> it.index() + 1),
          label.map(TableColumn::name),
          schema.columns().stream().map(CardFeature::of).toList(),
          Optional.of(schema.missing()).filter(it -> it != Missing.FAIL).map(Missing::typed));
    }

    Table with(List<CardFeature> others) {
      return new Table(header, columns, label, labelName, others, missing);
    }

    TableSchema toSchema(Optional<List<CardFeature>> values) {
      List<TableColumn> columnsOfFeatures = features.stream().map(CardFeature::toColumn).toList();
      return values.isPresent()
          ? new TableSchema(
              header,
              columns,
              values.get().stream().map(CardFeature::toColumn).toList(),
              columnsOfFeatures,
              toMissing())
          : TableSchema.ofClasses(
              header,
              columns,
              label.orElse(0) - 1,
              labelName.orElse(""),
              columnsOfFeatures,
              toMissing());
    }

    private Missing toMissing() {
      String typed = missing.orElse(Missing.FAIL.typed());
      return Missing.of(typed)
          .orElseThrow(() -> new InvalidDataException("missing values: '" + typed + "'"));
    }
  }

  /**
   * Processing of images.
   *
   * @param resized whether files of another size are scaled to the input's
   * @param channels for each channel, what is subtracted from its pixels after the division by the
   *     divisor, and what they are divided by then; empty if they are not normalised
   */
  public record Images(boolean resized, List<Channel> channels) {

    static Optional<Images> of(ImageOptions options) {
      Images images =
          new Images(
              options.isResized(),
              options.scales().stream()
                  .map(scale -> new Channel(scale.mean(), scale.deviation()))
                  .toList());
      return images.resized || !images.channels.isEmpty() ? Optional.of(images) : Optional.empty();
    }

    ImageOptions toOptions(Input input) {
      ImageOptions options =
          ImageOptions.NONE.scaledBy(
              channels.stream()
                  .map(channel -> new ChannelScale(channel.mean, channel.deviation))
                  .toList());
      return resized ? options.resizedTo(input.height, input.width) : options;
    }
  }

  /** Mean and standard deviation of the training images' pixels, from 0 to 1. */
  public record Channel(Double mean, Double deviation) {}

  /**
   * Returns the card of a model of rows whose features have no names: a row has the features in
   * their order, followed by the label or the values.
   *
   * @param data what it is trained on
   * @param shape shape of flat rows
   */
  public static ModelCard ofRows(String model, String data, Shape shape) {
    int features = shape.features();
    int labels = shape.hasValues() ? shape.outputs() : 1;
    TableSchema schema =
        new TableSchema(
            false,
            features + labels,
            numbers(features, features + labels),
            numbers(0, features),
            Missing.FAIL);
    return new ModelCard(
        VERSION,
        model,
        data,
        new Input(1, 1, features),
        1,
        shape.hasValues() ? Optional.empty() : Optional.of(Labels.numbered(shape.classes())),
        shape.hasValues()
            ? Optional.of(schema.labels().stream().map(CardFeature::of).toList())
            : Optional.empty(),
        Optional.of(Table.of(schema, shape.hasValues())),
        Optional.empty());
  }

  private static List<TableColumn> numbers(int first, int end) {
    return IntStream.range(first, end).mapToObj(i -> TableColumn.numbers(i, "")).toList();
  }

  /**
   * Returns this card with a further standardization of numbers after their own scale.
   *
   * @param scales scales of the columns that are numbers, in their order
   */
  public ModelCard scaledBy(List<RunningScales.Scale> scales) {
    Iterator<RunningScales.Scale> next = scales.iterator();
    Optional<Table> scaled =
        table.map(
            it ->
                it.with(
                    it.features().stream()
                        .map(column -> column.isNumber() ? column.scaledBy(next.next()) : column)
                        .toList()));
    return new ModelCard(version, model, data, input, divisor, classes, values, scaled, images);
  }

  /**
   * Returns the card of a model that was trained on a data set.
   *
   * @param data location of the data set, with all that is known of it
   */
  public static ModelCard of(String model, DataLocation data, Shape shape) {
    return new ModelCard(
        VERSION,
        model,
        data.place(),
        new Input(shape.channels(), shape.height(), shape.width()),
        data.isImages() ? PIXELS : 1,
        data.hasValues() ? Optional.empty() : Optional.of(data.classNames()),
        data.hasValues()
            ? Optional.of(data.valueColumns().stream().map(CardFeature::of).toList())
            : Optional.empty(),
        data.table() instanceof TableSchema schema
            ? Optional.of(Table.of(schema, data.hasValues()))
            : Optional.empty(),
        data.isImages() ? Images.of(data.images()) : Optional.empty());
  }

  /** Returns the card that {@link #toJson} has written. */
  public static ModelCard of(String json) {
    try {
      return MAPPER.readValue(json, ModelCard.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not a model card: " + json, e);
    }
  }

  /**
   * Returns whether both models take the same samples: as many numbers, from columns of the same
   * names, with the same classes or values.
   */
  public boolean takesSamplesOf(ModelCard other) {
    return shape().equals(other.shape())
        && classes.equals(other.classes)
        && featureNames().equals(other.featureNames());
  }

  /** Returns the names of the columns of a table; empty ones if columns have no names. */
  public List<String> featureNames() {
    return table.stream().flatMap(it -> it.features().stream()).map(CardFeature::name).toList();
  }

  /** Returns the content of the file. */
  public String toJson() {
    try {
      return MAPPER.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not possible in JSON: " + this, e);
    }
  }

  /**
   * Returns the card next to a model's file.
   *
   * @throws InvalidDataException if there is no card, or the file is not one
   */
  public static ModelCard beside(Path model) {
    Path file = model.toAbsolutePath().resolveSibling(FILE);
    if (!Files.isRegularFile(file)) {
      throw new InvalidDataException(
          "%s: no %s beside it, which says what the model expects; training writes one"
              .formatted(model, FILE));
    }
    return read(file);
  }

  /** Returns the card next to a model's file, if there is one. */
  public static Optional<ModelCard> ifBeside(Path model) {
    Path file = model.toAbsolutePath().resolveSibling(FILE);
    return Files.isRegularFile(file) ? Optional.of(read(file)) : Optional.empty();
  }

  /**
   * Returns the card of a version in a registry.
   *
   * @return empty if it has no card
   * @throws InvalidDataException if the card is damaged or has the form of a newer Braid
   * @throws IOException if the registry cannot be read
   */
  public static Optional<ModelCard> of(ModelRegistry registry, ModelVersion version)
      throws IOException {
    if (!version.files().containsKey(ModelVersion.CARD)) {
      return Optional.empty();
    }
    if (version.files().get(ModelVersion.CARD).bytes() > MAX_BYTES) {
      throw new InvalidDataException(ModelVersion.CARD + ": more than " + MAX_BYTES + " bytes");
    }
    byte[] json = registry.file(version, ModelVersion.CARD);
    return Optional.of(parse(ModelVersion.CARD, new String(json, StandardCharsets.UTF_8)));
  }

  private static ModelCard read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw notACard(file.toString(), "more than " + MAX_BYTES + " bytes", null);
      }
      return parse(file.toString(), Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new InvalidDataException(file + ": not UTF-8", e);
    } catch (IOException e) {
      throw new InvalidDataException(file + ": cannot be read", e);
    }
  }

  /**
   * Returns the card that a file has.
   *
   * @param place names the file in messages
   * @throws InvalidDataException if it is no card, or has the form of a newer Braid
   */
  public static ModelCard parse(String place, String json) {
    try {
      ModelCard card = MAPPER.readValue(json, ModelCard.class);
      if (card == null) {
        throw new InvalidDataException(Json.NO_OBJECT);
      }
      card.check();
      return card;
    } catch (JsonProcessingException e) {
      throw notACard(place, Json.mistake(e), e);
    } catch (InvalidDataException e) {
      throw notACard(place, e.getMessage(), e);
    }
  }

  private static InvalidDataException notACard(String place, String reason, Exception cause) {
    return new InvalidDataException(
        place + ": not a file that training writes next to a model: " + reason, cause);
  }

  private void check() {
    if (version != VERSION) {
      throw new InvalidDataException("version " + version + ": this Braid reads " + VERSION);
    }
    long features = (long) input.channels() * input.height();
    boolean sides = input.channels() > 0 && input.height() > 0 && input.width() > 0;
    if (!sides || features > MAX_FEATURES || features * input.width() > MAX_FEATURES) {
      throw new InvalidDataException(
          "input of %d x %d x %d: sides from 1 and at most %,d numbers are needed"
              .formatted(input.channels(), input.height(), input.width(), MAX_FEATURES));
    }
    checkOutputs();
    if (table.isPresent()) {
      checkTable(table.get());
    }
    imageOptions().check("images", shape());
    schema()
        .filter(schema -> schema.features() != shape().features())
        .ifPresent(
            schema -> {
              throw new InvalidDataException(
                  "columns of %d features for an input of %d"
                      .formatted(schema.features(), shape().features()));
            });
  }

  private void checkOutputs() {
    List<String> names = classes.orElse(List.of());
    if (classes.isPresent() && (names.size() < 2 || hasTwice(names))) {
      throw new InvalidDataException(
          "classes " + Texts.list(names) + ": must be at least 2, each once");
    }
    if (divisor != 1 && divisor != PIXELS) {
      throw new InvalidDataException("divisor " + divisor + ": must be 1 or " + PIXELS);
    }
    if (classes.isPresent() == values.isPresent() || valueColumns().isEmpty() == hasValues()) {
      throw new InvalidDataException("must have either classes or values");
    }
    if (hasValues() && hasImages()) {
      throw new InvalidDataException("values of images: only rows of numbers can have values");
    }
  }

  private static boolean hasTwice(List<?> list) {
    return new HashSet<>(list).size() < list.size();
  }

  private void checkTable(Table known) {
    if (divisor != 1 || input.channels() != 1 || input.height() != 1) {
      throw new InvalidDataException(
          "a table with divisor %d and an input of %d x %d x %d: 1 and 1 x 1 x %4$d are needed"
              .formatted(divisor, input.channels(), input.height(), input.width()));
    }
    List<Integer> numbers =
        Stream.of(
                known.label().stream(),
                values.orElse(List.of()).stream().map(CardFeature::column),
                known.features().stream().map(CardFeature::column))
            .flatMap(it -> it)
            .toList();
    for (int number : numbers) {
      if (number < 1 || number > known.columns()) {
        throw new InvalidDataException(
            "column %d: a number from 1 to %d is needed".formatted(number, known.columns()));
      }
    }
    if (hasTwice(numbers)) {
      throw new InvalidDataException("columns " + numbers + ": each must occur once");
    }
  }

  /** Returns whether outputs are values instead of classes. */
  public boolean hasValues() {
    return values.isPresent();
  }

  /** Returns the column and the scale of each output if outputs are values; else an empty list. */
  public List<TableColumn> valueColumns() {
    return values.orElse(List.of()).stream().map(CardFeature::toColumn).toList();
  }

  /** Returns the shape of samples. */
  public Shape shape() {
    return new Shape(
        input.channels(),
        input.height(),
        input.width(),
        hasValues() ? valueColumns().size() : classNames().size(),
        hasValues() ? Shape.Kind.VALUES : Shape.Kind.CLASSES);
  }

  /** Returns the label of each output if outputs are classes; else an empty list. */
  public List<String> classNames() {
    return classes.orElse(List.of());
  }

  /** Returns the columns, if the data was a table. */
  public Optional<TableSchema> schema() {
    return table.map(it -> it.toSchema(values));
  }

  /** Returns the processing of images. */
  public ImageOptions imageOptions() {
    return images.map(it -> it.toOptions(input)).orElse(ImageOptions.NONE);
  }

  /** Returns whether the data was images, or other data whose numbers are bytes. */
  public boolean hasImages() {
    return divisor == PIXELS;
  }

  /**
   * Returns a location whose data has the same columns, and the same classes or values, scaled as
   * the training data was.
   *
   * @throws InvalidDataException if the numbers of its form differ from those of the training data
   */
  public DataLocation of(DataLocation place) {
    checkForm(place);
    DataLocation labelled = hasValues() ? place.withValues() : place.withClassNames(classNames());
    DataLocation known = labelled.withFeatures(shape().features()).withImages(imageOptions());
    return schema().map(known::withTable).orElse(known);
  }

  /**
   * Checks that data has numbers like those that the model was trained on.
   *
   * @throws InvalidDataException if they are not those of a table's columns, or of pixels
   */
  public void checkForm(DataLocation place) {
    if (!place.isImages() && !place.isTable()) {
      expected().checkPlain(place.place());
    }
    if (place.isImages() && !hasImages()) {
      throw new InvalidDataException(
          "%s: images, whose numbers are divided by %d: the model takes rows of numbers as they are"
              .formatted(place.place(), PIXELS));
    }
  }

  /**
   * Checks the shape of samples from data of the same form: images could have as many numbers with
   * other sides, and rows cannot be normalised.
   *
   * @throws InvalidDataException if the model does not take such samples
   */
  public void checkShape(DataLocation place, Shape found) {
    Shape known = shape();
    boolean turned =
        found.isImage()
            && known.isImage()
            && (found.channels() != known.channels()
                || found.height() != known.height()
                || found.width() != known.width());
    boolean rows = !place.isImages() && imageOptions().normalized();
    if (turned || rows) {
      throw new InvalidDataException(
          "%s: %s: the model takes images of %s"
              .formatted(
                  place.place(),
                  rows ? "rows of numbers" : "images of " + sides(found),
                  sides(known)));
    }
  }

  private static String sides(Shape shape) {
    return "%dx%dx%d".formatted(shape.channels(), shape.height(), shape.width());
  }

  /** Returns the requirements for a stream of samples. */
  public FeatureStream.Expected expected() {
    return new FeatureStream.Expected(shape(), schema(), divisor, imageOptions());
  }
}
