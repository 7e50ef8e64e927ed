package dev.braid.job.score;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.connectors.record.RecordDecoder;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.learner.Shape;
import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.FeatureReader;
import dev.braid.run.training.ModelCard;
import java.util.List;
import java.util.Optional;

/**
 * Conversion of a topic's records to features. The data file sets their format, and each version of
 * the model sets its fields and their scales.
 *
 * @param data form of the records with which the model is trained
 */
record RecordFeatures(RecordForm data) implements FeatureForm<TopicRecord> {

  @Override
  public FeatureReader<TopicRecord> reader(Optional<ModelCard> card) {
    ModelCard known =
        card.orElseThrow(() -> new InvalidDataException("the version has no " + ModelCard.FILE));
    TableSchema schema =
        known
            .schema()
            .orElseThrow(
                () -> new InvalidDataException("the model takes images, not fields of records"));
    List<String> names = data.schema().columns().stream().map(TableColumn::name).toList();
    if (!names.containsAll(known.featureNames())) {
      throw new InvalidDataException(
          "the model has the features %s, but the data file has %s"
              .formatted(Texts.list(known.featureNames()), Texts.list(names)));
    }
    // Columns have their own values to fill in; a record that lacks a number without such a value
    // has no score.
    TableSchema filled =
        new TableSchema(
            schema.header(), schema.width(), schema.labels(), schema.columns(), Missing.FAIL);
    return new Reader(
        new RecordForm(
            data.format(),
            filled,
            known.hasValues(),
            known.hasValues() ? List.of() : known.classNames(),
            data.key(),
            data.weight(),
            0));
  }

  private static final class Reader implements FeatureReader<TopicRecord> {

    private final RecordForm form;
    private final RecordDecoder decoder;

    Reader(RecordForm form) {
      this.form = form;
      this.decoder = new RecordDecoder(form);
    }

    @Override
    public Shape shape() {
      return form.shape();
    }

    @Override
    public void read(TopicRecord record, float[] into, int offset) {
      if (record.value() == null) {
        throw new InvalidRecordException("the record deletes its key and has no value");
      }
      decoder.features(record.value(), into, offset);
    }
  }
}
