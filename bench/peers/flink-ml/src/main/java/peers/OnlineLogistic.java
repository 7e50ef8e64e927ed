package peers;

import java.util.List;
import java.util.Locale;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.ml.classification.logisticregression.LogisticRegressionModelData;
import org.apache.flink.ml.classification.logisticregression.LogisticRegressionModelDataUtil;
import org.apache.flink.ml.classification.logisticregression.OnlineLogisticRegression;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.ml.linalg.typeinfo.DenseVectorTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.SinkFunction;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * Trains Flink ML's OnlineLogisticRegression on a topic in Avro, as 'braid feed' writes it. After
 * each fortieth of the records it prints the seconds since the first model, the number of records,
 * and the loss of the latest model on later records. It ends after the given number of records.
 *
 * <p>Arguments: brokers, topic, parallelism, features, records, alpha, and the longest time in
 * milliseconds for which Flink may keep a buffer that is not full.
 */
public final class OnlineLogistic {

  private static final int BATCH = 100;
  private static final int TEST = 2000;
  private static final int LINES = 40;

  private OnlineLogistic() {}

  public static void main(String[] args) throws Exception {
    String brokers = args[0];
    String topic = args[1];
    int parallelism = Integer.parseInt(args[2]);
    int features = Integer.parseInt(args[3]);
    long records = Long.parseLong(args[4]);
    double alpha = Double.parseDouble(args[5]);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, new Configuration());
    env.getConfig().enableObjectReuse();
    env.setBufferTimeout(Long.parseLong(args[6]));
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    DataStream<Row> samples =
        env.fromSource(source(brokers, topic, features), WatermarkStrategy.noWatermarks(), topic);
    Table initial =
        tables.fromDataStream(
            env.fromElements(1)
                .map(it -> new LogisticRegressionModelData(new DenseVector(features), 0L)));
    OnlineLogisticRegression trainer =
        new OnlineLogisticRegression()
            .setFeaturesCol("features")
            .setLabelCol("label")
            .setGlobalBatchSize(BATCH * parallelism)
            .setAlpha(alpha)
            .setInitialModelData(initial);
    Table models = trainer.fit(tables.fromDataStream(samples)).getModelData()[0];
    LogisticRegressionModelDataUtil.getModelDataStream(models)
        .addSink(new Figures(Tests.read(brokers, topic, features, TEST), records, BATCH * parallelism))
        .setParallelism(1);
    env.execute();
  }

  private static KafkaSource<Row> source(String brokers, String topic, int features) {
    return KafkaSource.<Row>builder()
        .setBootstrapServers(brokers)
        .setTopics(topic)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setValueOnlyDeserializer(new AvroRow(features))
        .build();
  }

  /** Decodes a sample from its Avro record. */
  static final class AvroRow extends AbstractDeserializationSchema<Row> {

    private final int features;
    private transient BinaryDecoder decoder;

    AvroRow(int features) {
      super(
          Types.ROW_NAMED(
              new String[] {"features", "label"}, DenseVectorTypeInfo.INSTANCE, Types.DOUBLE));
      this.features = features;
    }

    @Override
    public Row deserialize(byte[] record) throws java.io.IOException {
      decoder = DecoderFactory.get().binaryDecoder(record, decoder);
      double[] values = new double[features];
      decoder.readIndex();
      int at = 0;
      for (long count = decoder.readArrayStart(); count > 0; count = decoder.arrayNext()) {
        for (long i = 0; i < count; i++) {
          decoder.readIndex();
          values[at++] = decoder.readFloat();
        }
      }
      decoder.readIndex();
      double label = Double.parseDouble(decoder.readString());
      return Row.of(new DenseVector(values), label);
    }
  }

  /** Prints figures of models as they arrive, and ends the process after the last. */
  static final class Figures implements SinkFunction<LogisticRegressionModelData> {

    private final List<Row> test;
    private final long records;
    private final int batch;
    private long models;
    private long startNanos;
    private int printed;

    Figures(List<Row> test, long records, int batch) {
      this.test = test;
      this.records = records;
      this.batch = batch;
    }

    @Override
    public void invoke(LogisticRegressionModelData model, Context context) {
      models++;
      long used = models * batch;
      if (models == 1) {
        startNanos = System.nanoTime();
      }
      if (used * LINES / records > printed) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        printed++;
        System.out.printf(Locale.ROOT, "%.3f %d %.4f%n", seconds, used, Tests.loss(model.coefficient, test));
        if (used >= records) {
          // The streams have no end.
          System.out.flush();
          Runtime.getRuntime().halt(0);
        }
      }
    }
  }
}
