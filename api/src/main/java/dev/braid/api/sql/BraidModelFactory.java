package dev.braid.api.sql;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.run.scoring.ServedModel;
import dev.braid.run.scoring.VersionChoice;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the models of {@code CREATE MODEL … WITH ('provider' = 'braid')} in Flink SQL. */
public final class BraidModelFactory implements ModelProviderFactory {

  private static final Logger LOG = LoggerFactory.getLogger(BraidModelFactory.class);

  /** Prefix of options that are properties of Kafka's clients, as in Flink's connector. */
  private static final String KAFKA = "properties.";

  private static final ConfigOption<String> PATH =
      ConfigOptions.key("path")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Registry of the model: a folder on any file system that Flink supports, or "
                  + "kafka:TOPIC.");

  private static final ConfigOption<String> VERSION =
      ConfigOptions.key("version")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Version of the model, such as v17. By default, the version in service; newer "
                  + "versions are loaded while the job runs.");

  @Override
  public String factoryIdentifier() {
    return "braid";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(PATH);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(VERSION);
  }

  /**
   * {@inheritDoc}
   *
   * @throws ValidationException if an option or a column is invalid
   */
  @Override
  public ModelProvider createModelProvider(Context context) {
    FactoryUtil.ModelProviderFactoryHelper helper =
        FactoryUtil.createModelProviderFactoryHelper(this, context);
    helper.validateExcept(KAFKA);
    ResolvedCatalogModel model = context.getCatalogModel();
    RowForm form = RowForm.of(model);
    VersionChoice choice = choice(helper.getOptions(), model.getOptions());
    try {
      Optional<ModelCard> card = ServedModel.card(choice);
      if (card.isPresent()) {
        var unused = form.reader(card);
      }
    } catch (InvalidDataException e) {
      throw new ValidationException(context.getObjectIdentifier() + ": " + e.getMessage(), e);
    } catch (IOException e) {
      // The job may be able to read what this program cannot.
      LOG.warn("{}: columns are not checked before the job runs", choice.registry(), e);
    }
    return new BraidModelProvider(choice, form);
  }

  private static VersionChoice choice(ReadableConfig options, Map<String, String> all) {
    Map<String, String> kafka =
        all.entrySet().stream()
            .filter(option -> option.getKey().startsWith(KAFKA))
            .collect(
                Collectors.toMap(
                    option -> option.getKey().substring(KAFKA.length()), Map.Entry::getValue));
    VersionChoice followed = VersionChoice.follow(new RegistryPlace(options.get(PATH), kafka));
    try {
      return options.getOptional(VERSION).map(followed::fixedTo).orElse(followed);
    } catch (InvalidDataException e) {
      throw new ValidationException("'version': " + e.getMessage(), e);
    }
  }
}
