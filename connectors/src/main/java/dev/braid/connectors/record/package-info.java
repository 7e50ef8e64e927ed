/**
 * Records of a topic as samples.
 *
 * <pre>
 *   RecordForm ─▶ RecordLayout ─▶ a format of Flink's tables: JSON, CSV or Avro
 *       │             │                  │ a row of texts, numbers and arrays
 *       │             ▼                  ▼
 *       └──▶ RecordDecoder ◀──────── FieldReader, one for each field
 * </pre>
 *
 * <p>A {@link dev.braid.connectors.record.RecordForm} names the fields that are features and
 * labels, as a {@link dev.braid.connectors.text.TableSchema} does for the columns of a table, so
 * that a model of a topic predicts the rows of a table with these columns. Means, deviations and
 * categories are given, because a topic is not read before it is trained on.
 *
 * <p>Records come from anywhere, and one may be anything. {@code WholeRecord} and {@code
 * AvroBounds} look at the bytes of a record first, and refuse what the formats would read in part,
 * or allocate without bounds. Whatever is no sample is an {@link
 * dev.braid.connectors.record.InvalidRecordException}, and the next record can be read.
 */
package dev.braid.connectors.record;
