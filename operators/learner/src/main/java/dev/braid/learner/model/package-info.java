/**
 * Models of users: presets, configurations and saved models, which are read as untrusted input,
 * checked, and written again.
 *
 * <p>A model file comes from anywhere. Deeplearning4j's own reader instantiates any class that a
 * file names, and trusts the lengths that it states. A file is therefore validated first:
 *
 * <pre>
 *   file ──▶ ModelReader
 *             ├─ OnnxReader         an ONNX model, in {@code learner.onnx.reader}
 *             ├─ KerasFile          a Keras model: rejected with instructions
 *             ├─ ModelZip           known entries only, each with a size limit
 *             │    └─ VectorReader  weights, state
 *             ├─ ConfigurationText  classes of listed packages, depth, digits
 *             ├─ ModelSize          the size, before memory is allocated
 *             └─ ModelCheck         only what Braid trains faithfully
 *                     ▼
 *   ModelSpec      everything that a worker needs, in the job's graph
 *                     ▼
 *   ModelZipWriter ─▶ VectorWriter: a file that Deeplearning4j loads
 * </pre>
 *
 * <p>A {@link dev.braid.learner.model.ModelInput} is the form in which a model receives a sample,
 * and a {@link dev.braid.learner.model.BatchLimit} the highest number of samples at a time. {@code
 * ModelUpdater} finds the model's optimiser, and {@link dev.braid.learner.model.UpdaterState}
 * converts an optimiser's state to Deeplearning4j's layout. Only a learner can finally determine
 * whether a model fits its data, by computing one sample; {@code network.Models} does that.
 */
package dev.braid.learner.model;
