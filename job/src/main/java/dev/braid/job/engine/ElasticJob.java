package dev.braid.job.engine;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobResourceRequirements;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A job that a cluster with Flink's adaptive scheduler may run with fewer slots than requested. The
 * job carries its lower bound. Other schedulers ignore the bound and wait for all slots.
 */
public final class ElasticJob {

  private ElasticJob() {}

  /**
   * Submits a job that has been built.
   *
   * @param fewestRanks smallest number of ranks with which it may run
   */
  public static JobClient submit(StreamExecutionEnvironment env, String name, int fewestRanks)
      throws Exception {
    StreamGraph graph = env.getStreamGraph(false);
    graph.setJobName(name);
    JobResourceRequirements.writeToExecutionPlan(graph, bounds(env, fewestRanks));
    return env.executeAsync(graph);
  }

  /**
   * Returns the bounds of all vertices, by their ids, which are the same in each job graph of this
   * program.
   */
  private static JobResourceRequirements bounds(StreamExecutionEnvironment env, int fewestRanks) {
    JobResourceRequirements.Builder bounds = JobResourceRequirements.newBuilder();
    for (JobVertex vertex : env.getStreamGraph(false).getJobGraph().getVertices()) {
      int most = vertex.getParallelism();
      bounds.setParallelismForJobVertex(vertex.getID(), Math.min(fewestRanks, most), most);
    }
    return bounds.build();
  }
}
