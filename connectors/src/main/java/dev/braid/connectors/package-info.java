/**
 * Sources of samples, and destinations of models.
 *
 * <p>A {@link dev.braid.connectors.DataLocation} names a data set and what is known about it: a
 * folder of images, a file of text, or the digits of {@code braid-mnist}. {@code DataCheck}
 * examines it once, on the command line, where every fault in the data is reported in one sentence
 * with the file and the line. The results (classes, columns, scales) are part of the location in
 * the job's graph, so that all workers read the same data alike.
 *
 * <pre>
 *                        DataLocation
 *               ┌─────────────┴──────────────┐
 *               ▼                            ▼
 *            ImageSet                     TextData
 *   ┌───────────┼───────────┐                │
 *   IdxFolder   CifarFolder ImageFolder      tables, LibSVM
 *   IdxFile                 ImageFile        (text)
 *               │           Picture          │
 *               ▼                            ▼
 *          Pixels (image)  ──▶   Samples   ◀──
 * </pre>
 *
 * <p>The three forms of images are those of MNIST (LeCun et al., 1998), of CIFAR-10 and CIFAR-100
 * (Krizhevsky, "Learning multiple layers of features from tiny images", 2009), and one folder of
 * PNG or JPEG files for each class. {@link dev.braid.connectors.FeatureStream} reads the same
 * forms, from a file or a stream, for a model that classifies samples without labels. {@link
 * dev.braid.connectors.ModelFiles} saves and loads models.
 *
 * <p>Each package depends only on some of those listed before it:
 *
 * <ul>
 *   <li>{@code file}: untrusted files, and messages about them; {@code random}: random numbers that
 *       are reproduced after a recovery;
 *   <li>{@code image}: images in memory, as samples; {@code text}: tables and LibSVM files;
 *   <li>this package;
 *   <li>{@code topic}: clients of Kafka topics; {@code record}: records of a topic, as samples;
 *   <li>{@code lineage}: the log of a run on a topic; {@code registry}: published versions of
 *       models;
 *   <li>{@code source}: the Flink source that deals the samples of a data set to workers; {@code
 *       stream}: the one for the records of a topic.
 * </ul>
 */
package dev.braid.connectors;
