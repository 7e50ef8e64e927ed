/**
 * Records of a topic as samples.
 *
 * <pre>
 *   RecordForm ─▶ RecordLayout ─▶ RecordFields: JSON, CSV or Avro, as Flink's tables have them
 *       │             │                  │ texts, numbers and arrays
 *       │             ▼                  ▼
 *       └──▶ RecordDecoder ◀──────── FieldReader, one for each field
 * </pre>
 *
 * <p>A {@link dev.braid.connectors.record.RecordForm} names the fields that are features and
 * labels, as a {@link dev.braid.connectors.text.TableSchema} does for the columns of a table, so
 * that a model of a topic predicts the rows of a table with these columns. Means, deviations and
 * categories are given, because a topic is not read before it is trained on.
 *
 * <p>Records come from anywhere, and one may be anything. {@code RecordFields} looks at all bytes
 * of a record before any field is used, and refuses what is more or less than one record, or would
 * allocate without bounds. Whatever is no sample is an {@link
 * dev.braid.connectors.record.InvalidRecordException}, and the next record can be read.
 */
package dev.braid.connectors.record;
