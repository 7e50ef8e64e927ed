/**
 * Conversion of a topic's records to samples.
 *
 * <pre>
 *   RecordForm ─▶ RecordLayout ─▶ RecordFields: JSON, CSV or Avro, as Flink's tables have them
 *       │             │                  │ texts, numbers and arrays
 *       │             ▼                  ▼
 *       └──▶ RecordDecoder ◀──────── FieldReader, one for each field
 * </pre>
 *
 * <p>A {@link dev.braid.connectors.record.RecordForm} names the fields that are features and
 * labels, as a {@link dev.braid.connectors.text.TableSchema} does for the columns of a table. A
 * model of a topic can therefore predict the rows of a table with these columns. The user gives
 * means, deviations and categories, because a topic is not read before training.
 *
 * <p>Records are untrusted. {@code RecordFields} checks all bytes of a record before any field is
 * used. It rejects values that are more or less than one record, or that would need unbounded
 * memory. An invalid sample causes an {@link dev.braid.connectors.record.InvalidRecordException},
 * and the next record can be read.
 */
package dev.braid.connectors.record;
