/**
 * Where samples come from, and where models go.
 *
 * <p>A {@link dev.braid.connectors.DataLocation} says where a data set is and what of it is known:
 * a folder of images, a file of text, or the digits in the jar. {@code DataCheck} looks it through
 * once, on the command line, where every mistake in the data is one sentence with the file and the
 * line in it; what was found there (classes, columns, scales) travels with it in the job's graph,
 * so that all workers read the same data alike.
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
 * forms, from a file or a stream, for a model that is to classify what has no labels; {@link
 * dev.braid.connectors.ModelFiles} saves models, and loads them.
 *
 * <p>Rooms below, each on some of those before it and on none after it:
 *
 * <ul>
 *   <li>{@code file}: bytes that may be anything, and messages about them; {@code random}: what is
 *       drawn, today as after a recovery;
 *   <li>{@code image}: images in memory, as samples; {@code text}: tables and LibSVM files;
 *   <li>the package itself;
 *   <li>{@code source}: the Flink source, which deals samples to workers.
 * </ul>
 */
package dev.braid.connectors;
