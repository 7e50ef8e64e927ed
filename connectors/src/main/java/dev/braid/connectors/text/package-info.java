/**
 * Text as samples: tables with columns of numbers and of categories, and LibSVM files (Chang and
 * Lin, "LIBSVM: a library for support vector machines", 2011).
 *
 * <pre>
 *   DataFile ─▶ CsvFile ──cells──▶ TableHeader      names of columns, if there are any
 *                      │               │
 *                      │   TableOptions ─▶ TableFit ─▶ TableSchema
 *                      │           what a user says     a first reading   all that is known
 *                      ▼                                                      │
 *                  TableRows ◀────────────────────────────────────────────────┘
 *   stream ─▶ NumberedLines ─▶ CsvLines ─▶ TableRows ─▶ TextStream: to predict
 *   DataFile ─▶ NumberedLines ─▶ LibSvm ──▶ Rows ──▶ TextSamples: to train, or to test with
 * </pre>
 *
 * <p>A table is read twice. The first time tells of each {@link
 * dev.braid.connectors.text.TableColumn} whether it is of numbers or of categories, which texts
 * these have, and mean and deviation where numbers are to be standardised; over the training rows
 * alone, as a model may know nothing of others. The second makes numbers of cells: a category
 * becomes one feature for each of its texts, of which one is 1. A text that no training row had is
 * 0 in all of them, and {@code UnknownTexts} counts it.
 *
 * <p>Labels are classes, which {@link dev.braid.connectors.text.Labels} numbers and {@link
 * dev.braid.connectors.text.LabelCheck} doubts where they look like values; or values, between
 * which {@link dev.braid.connectors.text.ValueRange} lies.
 *
 * <p>{@link dev.braid.connectors.text.TextSamples} reads whole files, {@link
 * dev.braid.connectors.text.TextStream} row by row. Everything that reads is a {@code TextPlace}:
 * it knows the line that it is at, for messages.
 */
package dev.braid.connectors.text;
