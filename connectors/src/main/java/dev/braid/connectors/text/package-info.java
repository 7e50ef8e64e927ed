/**
 * Samples from text: tables with columns of numbers and of categories, and LibSVM files (Chang and
 * Lin, "LIBSVM: a library for support vector machines", 2011).
 *
 * <pre>
 *   DataFile ─▶ CsvFile ──cells──▶ TableHeader      names of columns, if there are any
 *                      │               │
 *                      │   TableOptions ─▶ TableFit ─▶ TableSchema
 *                      │           the user's options   first pass   all properties
 *                      ▼                                                      │
 *                  TableRows ◀────────────────────────────────────────────────┘
 *   stream ─▶ NumberedLines ─▶ CsvLines ─▶ TableRows ─▶ TextStream: for prediction
 *   DataFile ─▶ NumberedLines ─▶ LibSvm ──▶ Rows ──▶ TextSamples: for training and test
 * </pre>
 *
 * <p>A table is read twice. The first pass determines for each {@link
 * dev.braid.connectors.text.TableColumn} whether it contains numbers or categories, the texts of
 * categories, and the mean and deviation if numbers are standardised. It includes only the training
 * rows, because a model must not know anything about others. The second pass converts cells to
 * numbers: a categorical column becomes one feature per text, of which one is 1. A text that no
 * training row had is 0 in all of them, and {@code UnknownTexts} counts it.
 *
 * <p>Labels are classes or values. {@link dev.braid.connectors.text.Labels} numbers classes, and
 * {@link dev.braid.connectors.text.LabelCheck} rejects them if they look like values. A {@link
 * dev.braid.connectors.ValueRange} is the range of values.
 *
 * <p>{@link dev.braid.connectors.text.TextSamples} reads whole files, {@link
 * dev.braid.connectors.text.TextStream} row by row. Every reader is a {@code TextPlace}: it knows
 * its current line, for messages.
 */
package dev.braid.connectors.text;
