package dev.braid.job.engine;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobResourceRequirements;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A job that a cluster may run with fewer slots than were asked for, if its scheduler is Flink's
 * adaptive one: with how few, it is told with the job. Another scheduler takes no notice, and has
 * all slots or waits.
 */
public final class ElasticJob {

  private ElasticJob() {}

  /**
   * Starts a job that has been built.
   *
   * @param fewestRanks with how few ranks it may run
   */
  public static JobClient submit(StreamExecutionEnvironment env, String name, int fewestRanks)
      throws Exception {
    StreamGraph graph = env.getStreamGraph(false);
    graph.setJobName(name);
    JobResourceRequirements.writeToExecutionPlan(graph, bounds(env, fewestRanks));
    return env.executeAsync(graph);
  }

  /** Of all vertices, by the ids that they have in whichever job graph is made of this program. */
  private static JobResourceRequirements bounds(StreamExecutionEnvironment env, int fewestRanks) {
    JobResourceRequirements.Builder bounds = JobResourceRequirements.newBuilder();
    for (JobVertex vertex : env.getStreamGraph(false).getJobGraph().getVertices()) {
      int most = vertex.getParallelism();
      bounds.setParallelismForJobVertex(vertex.getID(), Math.min(fewestRanks, most), most);
    }
    return bounds.build();
  }
}
