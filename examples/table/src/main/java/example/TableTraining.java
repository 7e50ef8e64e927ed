package example;

import dev.braid.api.Braid;
import dev.braid.api.Network;
import dev.braid.api.Optimizer;
import dev.braid.api.StreamRun;
import dev.braid.api.sample.Encoder;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/** Trains on the rows of a query in Flink SQL. */
public final class TableTraining {

  private TableTraining() {}

  /**
   * Runs the job until the table ends.
   *
   * @param args the folder for the model
   */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.enableCheckpointing(1_000);
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    tables.executeSql(
        "CREATE TABLE orders (price DOUBLE, pieces INT) WITH ("
            + " 'connector' = 'datagen', 'number-of-rows' = '20000',"
            + " 'fields.price.min' = '1', 'fields.price.max' = '9',"
            + " 'fields.pieces.min' = '1', 'fields.pieces.max' = '9')");
    DataStream<Row> rows =
        tables.toDataStream(
            tables.sqlQuery("SELECT price, pieces, price * pieces > 20 AS is_large FROM orders"));
    Encoder<Row> encoder =
        Encoder.ofClasses(
            2,
            2,
            (row, sample) ->
                sample
                    .feature(0, row.<Double>getFieldAs("price") - 5)
                    .feature(1, row.<Integer>getFieldAs("pieces") - 5)
                    .label(row.<Boolean>getFieldAs("is_large") ? 1 : 0));
    StreamRun<Row> run =
        Braid.training(Network.preset("mlp"))
            .workers(2)
            .optimizer(Optimizer.adam(0.01))
            .window(50)
            .results(args[0])
            .train(rows, encoder);
    run.run().figures().print();
    env.execute("training on a table");
  }
}
