package dev.braid.connectors.text;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.OptionalDouble;

/**
 * Converts dates and times to days since 1970-01-01 in UTC, with a fraction. A double represents
 * them to a microsecond. A float would not even represent minutes, so columns subtract their mean
 * first.
 */
final class Dates {

  /** Examples of the accepted forms, for messages. */
  static final String FORMS = "2026-11-28, 2026-11-28T10:15 or 2026-11-28T10:15:30.5+01:00";

  private static final int DATE_LETTERS = 10;

  /**
   * Last accepted year. Years have four digits, because a date that is millions of years away would
   * ruin the scale of all others.
   */
  private static final int LAST_YEAR = 9999;

  private static final double SECONDS_PER_DAY = 86_400;
  private static final double NANOS_PER_DAY = SECONDS_PER_DAY * 1e9;

  private static final DateTimeFormatter FORM =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT);

  private Dates() {}

  /** Returns the days of an ISO 8601 date or date-time; empty for any other text. */
  static OptionalDouble days(String text) {
    boolean hasBlank = text.length() > DATE_LETTERS && text.charAt(DATE_LETTERS) == ' ';
    // Databases and pandas write a blank instead of a T.
    String iso =
        hasBlank ? text.substring(0, DATE_LETTERS) + "T" + text.substring(DATE_LETTERS + 1) : text;
    try {
      TemporalAccessor parsed =
          FORM.parseBest(iso, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      int year = parsed.get(ChronoField.YEAR);
      if (year < 1 || year > LAST_YEAR) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(days(parsed));
    } catch (DateTimeParseException e) {
      return OptionalDouble.empty();
    }
  }

  private static double days(TemporalAccessor parsed) {
    if (parsed instanceof LocalDate date) {
      return date.toEpochDay();
    }
    OffsetDateTime time =
        parsed instanceof LocalDateTime local
            ? local.atOffset(ZoneOffset.UTC)
            : (OffsetDateTime) parsed;
    return time.toEpochSecond() / SECONDS_PER_DAY + time.getNano() / NANOS_PER_DAY;
  }
}
