package dev.braid.job.train;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.JobFailure;
import dev.braid.job.restore.CheckpointDamage;
import dev.braid.job.result.RunGoal;
import dev.braid.job.result.Status;
import dev.braid.wire.DamagedStateException;
import java.util.Optional;

/** Tells how a job has ended and how to go on with it, and knows the exit code. */
final class RunEnd {

  private final Terminal terminal;
  private final RunGoal goal;
  private final Optional<TrainOptions> options;

  /**
   * @param options of the run, if they are known
   */
  RunEnd(Terminal terminal, RunGoal goal, Optional<TrainOptions> options) {
    this.terminal = terminal;
    this.goal = goal;
    this.options = options;
  }

  /**
   * Tells it.
   *
   * @param address where the cluster is that the job was on
   * @return the exit code
   */
  int ofClusterJob(JobEnd end, String job, String address) {
    if (end instanceof JobEnd.Trained trained) {
      return trained(trained.status(), trained.host());
    }
    terminal.endLine();
    if (end instanceof JobEnd.Failed failed) {
      System.err.println("braid: " + reason(failed));
      if (damage(failed).isEmpty()) {
        goOn(failed.checkpoints()).ifPresent(how -> System.err.println("braid: " + how));
      }
    } else if (end instanceof JobEnd.Cancelled cancelled) {
      System.err.println("braid: the job was cancelled; " + kept(cancelled.checkpoints()));
    } else if (end instanceof JobEnd.Stopped stopped) {
      System.err.println("braid: " + stopped(stopped.checkpoints()));
    } else if (end instanceof JobEnd.Lost lost) {
      System.err.println(
          "braid: the cluster (%s) knows no job %s any more: without high availability, a JobManager that ends takes its jobs with it; %s"
              .formatted(address, job, kept(lost.checkpoints())));
    }
    return ExitCodes.FAILED;
  }

  /** Why a job failed. */
  String reason(JobEnd.Failed failed) {
    JobFailure failure = failed.failure();
    Optional<String> damage = damage(failed);
    if (damage.isPresent()) {
      Optional<String> place =
          failed.checkpoints().restored().or(() -> options.flatMap(TrainOptions::restore));
      return place.map(RunEnd::asPath).map(it -> it + ": ").orElse("")
          + CheckpointDamage.sentence(
              place.map(RunEnd::asPath).orElse(""),
              options.map(Checkpoints::placeOf),
              damage.get());
    }
    return FailureText.of(
        failure.causes(),
        failure.where(),
        goal.mayStandardize() ? ", and so may --standardize" : "");
  }

  private static Optional<String> damage(JobEnd.Failed failed) {
    return failed
        .failure()
        .causes()
        .find(cause -> cause.is(DamagedStateException.class))
        .map(CauseChain.Cause::line);
  }

  /**
   * Shows what a run that was trained amounts to.
   *
   * @param host where its results are, unless that is here
   * @return the exit code
   */
  int trained(Status end, Optional<String> host) {
    new ProgressView(terminal, System.nanoTime()).showOutcome(end.outcome().orElseThrow(), host);
    TargetVerdict target = TargetVerdict.of(goal, end.evaluations());
    EarlyStop.of(goal.patience(), goal.epochs(), end.evaluations())
        .ifPresent(sentence -> terminal.print("patience       " + sentence));
    target.reached().ifPresent(sentence -> terminal.print("target         " + sentence));
    RunVerdict verdict = RunVerdict.of(end, target, goal);
    verdict.complaints().forEach(complaint -> System.err.println("braid: " + complaint));
    return verdict.exitCode();
  }

  private static String stopped(CheckpointSight checkpoints) {
    return checkpoints
        .savepoint()
        .map(
            place ->
                "the job was stopped with a savepoint; to go on from it, add --restore "
                    + inShell(place))
        .orElse("the job was stopped, and has no savepoint");
  }

  private static String kept(CheckpointSight checkpoints) {
    return goOn(checkpoints).orElse("it has no checkpoint to go on from");
  }

  private static Optional<String> goOn(CheckpointSight checkpoints) {
    return checkpoints
        .newest()
        .map(place -> "to go on from its last checkpoint, add --restore " + inShell(place));
  }

  /** A path, rather than the URI of one. */
  private static String inShell(String place) {
    return Places.inShell(asPath(place));
  }

  private static String asPath(String place) {
    return place.replaceFirst("^file:/+", "/");
  }
}
