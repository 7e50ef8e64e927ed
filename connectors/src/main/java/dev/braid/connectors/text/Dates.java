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
 * Dates and times as numbers: days since 1970-01-01 in UTC, with a fraction. A double holds them to
 * a microsecond; a float would not hold a minute, so that columns subtract their mean first.
 */
final class Dates {

  /** Forms, for messages. */
  static final String FORMS = "2026-11-28, 2026-11-28T10:15 or 2026-11-28T10:15:30.5+01:00";

  private static final int DATE_LETTERS = 10;

  /** Years of four digits: one that is millions of years away would leave others no scale. */
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

  /** Returns the days of an ISO 8601 date or date-time; nothing for any other text. */
  static OptionalDouble days(String text) {
    boolean hasBlank = text.length() > DATE_LETTERS && text.charAt(DATE_LETTERS) == ' ';
    // As databases and pandas write them.
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
