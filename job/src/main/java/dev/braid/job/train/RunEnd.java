package dev.braid.job.train;

import dev.braid.job.console.Durations;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Launched;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.JobFailure;
import dev.braid.job.restore.CheckpointDamage;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunGoal;
import dev.braid.run.result.Status;
import dev.braid.run.result.TestScore;
import dev.braid.text.Printable;
import dev.braid.wire.DamagedStateException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Report on the end of a job and how to resume it, with the exit code. */
final class RunEnd {

  private final Terminal terminal;
  private final RunGoal goal;
  private final Optional<TrainOptions> options;
  private final UnaryOperator<String> resuming;

  /**
   * Creates a reporter.
   *
   * @param options the run's options, if known
   * @param resuming returns the command that resumes the job from a checkpoint at a place
   */
  RunEnd(
      Terminal terminal,
      RunGoal goal,
      Optional<TrainOptions> options,
      UnaryOperator<String> resuming) {
    this.terminal = terminal;
    this.goal = goal;
    this.options = options;
    this.resuming = resuming;
  }

  /**
   * Reports the end of a job.
   *
   * @param address address of the job's cluster
   * @return the exit code
   */
  int ofClusterJob(JobEnd end, String job, String address) {
    if (end instanceof JobEnd.Trained trained) {
      return trained(trained.status(), trained.host());
    }
    terminal.endLine();
    if (end instanceof JobEnd.Failed failed) {
      System.err.println("braid: " + Printable.of(reason(failed)));
      if (damage(failed).isEmpty()) {
        resume(failed.checkpoints()).ifPresent(how -> System.err.println("braid: " + how));
      }
    } else if (end instanceof JobEnd.Cancelled cancelled) {
      System.err.println("braid: the job was cancelled; " + kept(cancelled.checkpoints()));
    } else if (end instanceof JobEnd.Stopped stopped) {
      System.err.println("braid: " + stopped(stopped.checkpoints()));
    } else if (end instanceof JobEnd.Lost lost) {
      System.err.println(
          ("braid: the cluster (%s) does not know job %s: without high availability, the "
                  + "jobs of a JobManager end with it; %s")
              .formatted(address, job, kept(lost.checkpoints())));
    } else if (end instanceof JobEnd.Unanswered unanswered) {
      System.err.println(
          "braid: the cluster (%s) has not answered for %s (--client-timeout); the job may still run: %s result %s --follow"
              .formatted(
                  address,
                  Durations.inWords(unanswered.silence().toSeconds()).strip(),
                  Launched.braid(),
                  job));
      System.err.println("braid: if the job does not run: " + kept(unanswered.checkpoints()));
    }
    return ExitCodes.FAILED;
  }

  /** Returns the reason for a job's failure. */
  String reason(JobEnd.Failed failed) {
    JobFailure failure = failed.failure();
    Optional<String> damage = damage(failed);
    if (damage.isPresent()) {
      Optional<String> place =
          failed.checkpoints().restored().or(() -> options.flatMap(it -> it.recovery().restore()));
      return place.map(RunEnd::path).map(it -> it + ": ").orElse("")
          + CheckpointDamage.sentence(
              place.map(RunEnd::path).orElse(""), options.map(Checkpoints::placeOf), damage.get());
    }
    return FailureText.of(
        failure.causes(), failure.where(), goal.mayStandardize() ? ", or --standardize" : "");
  }

  private static Optional<String> damage(JobEnd.Failed failed) {
    return failed
        .failure()
        .causes()
        .find(cause -> cause.is(DamagedStateException.class))
        .map(CauseChain.Cause::line);
  }

  /**
   * Shows the result of a run that has trained.
   *
   * @param host host of the results; empty for this machine
   * @return the exit code
   */
  int trained(Status end, Optional<String> host) {
    new ProgressView(terminal, System.nanoTime())
        .showOutcome(end.outcome().orElseThrow(), end.evaluated(), host);
    TargetVerdict target = TargetVerdict.of(goal, end.evaluations(), savedScore(end));
    EarlyStop.of(goal.patience(), goal.epochs(), end.evaluations())
        .ifPresent(sentence -> terminal.print("patience       " + sentence));
    target.reached().ifPresent(sentence -> terminal.print("target         " + sentence));
    RunVerdict verdict = RunVerdict.of(end, target, goal);
    verdict.complaints().forEach(complaint -> System.err.println("braid: " + complaint));
    return verdict.exitCode();
  }

  /** Returns the saved model's score on the samples on which epochs were evaluated. */
  private static TestScore savedScore(Status end) {
    List<Evaluation> all = end.evaluations();
    return end.evaluated().isHeldOut() && !all.isEmpty()
        ? all.get(all.size() - 1).score()
        : end.outcome().orElseThrow().score();
  }

  /** Returns a message that a job was stopped, and how to resume it. */
  String stopped(CheckpointSight checkpoints) {
    return checkpoints
        .savepoint()
        .map(
            place ->
                "the job was stopped with the savepoint %s; to resume: %s"
                    .formatted(Places.shown(path(place)), resuming.apply(path(place))))
        .orElse("the job was stopped, and has no savepoint");
  }

  private String kept(CheckpointSight checkpoints) {
    return resume(checkpoints).orElse("it has no known checkpoint");
  }

  private Optional<String> resume(CheckpointSight checkpoints) {
    return checkpoints
        .newest()
        .map(
            place ->
                "its last checkpoint is %s; to resume: %s"
                    .formatted(Places.shown(path(place)), resuming.apply(path(place))));
  }

  /** Returns a path instead of a local URI. */
  private static String path(String place) {
    return place.replaceFirst("^file:/+", "/");
  }
}
