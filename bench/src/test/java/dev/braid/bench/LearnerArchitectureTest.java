package dev.braid.bench;

import dev.braid.learner.Learner;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.matrix.simd.VectorMultiplier;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.onnx.OnnxLayers;
import dev.braid.learner.onnx.reader.OnnxReader;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.sparse.SparseProduct;
import dev.braid.learner.structure.ModelStack;
import java.util.List;

/** Dependencies among the packages of models and gradients. */
class LearnerArchitectureTest extends Rooms {

  private static final Room MATH = Room.of(NativeMath.class);
  private static final Room CONTRACT = Room.of(Learner.class, MATH);
  private static final Room STRUCTURE = Room.of(ModelStack.class, CONTRACT);
  private static final Room OPTIMISER = Room.of(Optimiser.class, STRUCTURE);
  private static final Room ONNX_READER = Room.of(OnnxReader.class, CONTRACT, STRUCTURE, OPTIMISER);
  private static final Room MODEL =
      Room.of(ModelSpec.class, MATH, CONTRACT, STRUCTURE, OPTIMISER, ONNX_READER);
  private static final Room SPARSE = Room.of(SparseProduct.class, MATH);
  private static final Room MATRIX = Room.of(MatrixMultiplier.class, MATH, SPARSE);
  private static final Room MATRIX_VECTOR = Room.of(VectorMultiplier.class, MATRIX);
  private static final Room LAYER =
      Room.of(StackBuilder.class, MATH, CONTRACT, STRUCTURE, SPARSE, MATRIX);
  private static final Room ONNX = Room.of(OnnxLayers.class, CONTRACT, STRUCTURE, MODEL);
  private static final Room NETWORK =
      Room.of(
          Learners.class, MATH, CONTRACT, STRUCTURE, OPTIMISER, MODEL, SPARSE, MATRIX, LAYER, ONNX);

  LearnerArchitectureTest() {
    super(
        "dev.braid.learner",
        List.of(
            MATH,
            CONTRACT,
            STRUCTURE,
            OPTIMISER,
            ONNX_READER,
            MODEL,
            SPARSE,
            MATRIX,
            MATRIX_VECTOR,
            LAYER,
            ONNX,
            NETWORK));
  }
}
