package example;

import dev.braid.api.Braid;
import dev.braid.api.DataSet;
import dev.braid.api.Network;
import dev.braid.api.Optimizer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Trains a network on handwritten digits, and prints how good it is after each epoch. */
public final class Digits {

  private Digits() {}

  /**
   * Runs the job: in this process, or on a cluster with {@code flink run}.
   *
   * @param args the folder for the model, and the number of epochs
   */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Braid.training(Network.preset("mlp"))
        .workers(2)
        .optimizer(Optimizer.momentum(0.1))
        .results(args[0])
        .fit(env, DataSet.at("mnist"), Integer.parseInt(args[1]))
        .figures()
        .print();
    env.execute("digits");
  }
}
