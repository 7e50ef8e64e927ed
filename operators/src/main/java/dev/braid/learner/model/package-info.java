/**
 * Models as users have them: presets, configurations, saved models; read with mistrust, checked,
 * and written again.
 *
 * <p>A model file comes from anywhere. Deeplearning4j's own reader makes objects of whatever
 * classes a file names, and believes the lengths it states, so a file is looked through before:
 *
 * <pre>
 *   file ──▶ ModelReader
 *             ├─ OnnxReader         an ONNX model, in {@code learner.onnx.reader}
 *             ├─ KerasFile          a model of Keras: says so
 *             ├─ ModelZip           entries that are known, each with a limit
 *             │    └─ VectorReader  weights, state
 *             ├─ ConfigurationText  classes from a list of packages, depth, digits
 *             ├─ ModelSize          how large it would be, before memory is allocated
 *             └─ ModelCheck         what Braid trains faithfully, and nothing else
 *                     ▼
 *   ModelSpec      all that a worker must know, in the job's graph
 *                     ▼
 *   ModelZipWriter ─▶ VectorWriter: a file that Deeplearning4j loads
 * </pre>
 *
 * <p>What a model takes a sample for is a {@link dev.braid.learner.model.ModelInput}, and how many
 * it takes at a time a {@link dev.braid.learner.model.BatchLimit}. {@code ModelUpdater} finds the
 * optimiser that it brings, and {@link dev.braid.learner.model.UpdaterState} lays an optimiser's
 * state out as Deeplearning4j does. Whether a model fits its data in the end only a learner can
 * tell, by one sample; {@code network.Models} has it tried.
 */
package dev.braid.learner.model;
