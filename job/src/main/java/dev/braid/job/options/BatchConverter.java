package dev.braid.job.options;

import dev.braid.connectors.source.SampleSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter for a number of samples, or {@code all}. */
final class BatchConverter implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String text) {
    if (text.equals(TrainOptions.FULL_BATCH)) {
      return SampleSource.ALL;
    }
    long batch;
    try {
      batch = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a whole number, or all");
    }
    if (batch >= SampleSource.ALL) {
      throw new TypeConversionException("must be a smaller number, or all");
    }
    return (int) Math.max(batch, Integer.MIN_VALUE);
  }
}
