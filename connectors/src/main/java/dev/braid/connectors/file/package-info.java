/**
 * Untrusted files: they are read with limits, and named in every message.
 *
 * <p>A {@link dev.braid.connectors.file.DataFile} is a file, or an entry of the jar, gzipped or
 * not. A gzipped file of a few kilobytes may unzip to gigabytes, so reading its content fails
 * beyond a plausible size. {@link dev.braid.connectors.file.BoundedInput} does this for any stream.
 *
 * <p>A fault is an {@link dev.braid.connectors.file.InvalidDataException} with a message of one
 * line, which is shown to users unchanged. Since messages contain texts of such files, {@link
 * dev.braid.connectors.file.Texts} shortens them and escapes terminal control sequences.
 *
 * <p>{@link dev.braid.connectors.file.SampleInput} is the interface of readers of single samples. A
 * fault in a single sample is an {@link dev.braid.connectors.file.InvalidSampleException}.
 */
package dev.braid.connectors.file;
