package example;

import dev.braid.api.Braid;
import dev.braid.api.Network;
import dev.braid.api.Optimizer;
import dev.braid.api.TopicSamples;
import dev.braid.api.Training;
import dev.braid.api.sample.Encoder;
import java.time.Duration;
import org.apache.flink.formats.json.JsonDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Trains on the JSON records of a topic, then recomputes the run and compares all its digests. */
public final class ContinualTraining {

  private ContinualTraining() {}

  /**
   * Runs the job until the end that the topic has now. Without {@code untilLatest} it has no end.
   *
   * @param args the brokers, the topic, and the folder for the model and the lineage
   */
  public static void main(String[] args) throws Exception {
    Encoder<Reading> encoder =
        Encoder.ofClasses(
            3,
            2,
            (reading, sample) ->
                sample
                    .feature(0, (reading.x1 - 5) / 5)
                    .feature(1, (reading.x2 - 5) / 5)
                    .feature(2, (reading.x3 - 5) / 5)
                    .label(reading.label));
    TopicSamples<Reading> samples =
        TopicSamples.of(
                args[0], args[1], new JsonDeserializationSchema<>(Reading.class), encoder)
            .untilLatest();
    Training training =
        Braid.training(Network.preset("logistic"))
            .workers(2)
            .optimizer(Optimizer.adam(0.01))
            .maxBatchWait(Duration.ofMillis(200))
            .window(50)
            .results(args[2]);

    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.enableCheckpointing(1_000);
    training.fitContinuously(env, samples).figures().print();
    env.execute("continual training");

    System.out.println(training.replay(samples));
  }
}
