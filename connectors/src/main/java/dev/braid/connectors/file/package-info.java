/**
 * Files that somebody else has written: read with bounds, and named in every message.
 *
 * <p>A {@link dev.braid.connectors.file.DataFile} is a file, or an entry of the jar, gzipped or
 * not. A gzipped file of a few kilobytes may unzip to gigabytes, so its content ends with an error
 * where it has grown beyond what data does; {@link dev.braid.connectors.file.BoundedInput} does
 * that for any stream.
 *
 * <p>What is wrong is an {@link dev.braid.connectors.file.InvalidDataException} of one line, which
 * users see as it is. Since the texts of such files go into messages, {@link
 * dev.braid.connectors.file.Texts} shortens them and escapes what would steer a terminal.
 *
 * <p>{@link dev.braid.connectors.file.SampleInput} is what readers of single samples look like. A
 * mistake in one of them is an {@link dev.braid.connectors.file.InvalidSampleException}.
 */
package dev.braid.connectors.file;
