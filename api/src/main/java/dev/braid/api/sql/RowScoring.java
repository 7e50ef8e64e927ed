package dev.braid.api.sql;

import dev.braid.learner.math.NativeWorkspace;
import dev.braid.run.scoring.RecordKey;
import dev.braid.run.scoring.RecordScore;
import dev.braid.run.scoring.RecordScorer;
import dev.braid.run.scoring.RegistryFollower;
import dev.braid.run.scoring.ScoringMetrics;
import dev.braid.run.scoring.VersionChoice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.PredictFunction;

/** Scores the rows of {@code ML_PREDICT}, one by one. */
public final class RowScoring extends PredictFunction {

  private static final long serialVersionUID = 1L;

  private final VersionChoice choice;
  private final RowForm form;

  private transient List<AutoCloseable> opened;
  private transient AtomicBoolean hasNews;
  private transient RecordScorer<RowData> scorer;
  private transient List<RowData> answers;

  RowScoring(VersionChoice choice, RowForm form) {
    this.choice = choice;
    this.form = form;
  }

  /** Returns false, since another version may give another score for the same row. */
  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    opened = new ArrayList<>();
    answers = new ArrayList<>();
    AtomicBoolean news = new AtomicBoolean();
    hasNews = news;
    ScoringMetrics metrics = new ScoringMetrics(context.getMetricGroup());
    RegistryFollower<RowData> follower =
        new RegistryFollower<>(
            "braid-versions-" + context.getTaskInfo().getIndexOfThisSubtask(),
            choice,
            form,
            1,
            metrics,
            RegistryFollower.Times.USUAL,
            () -> news.set(true));
    opened.add(follower);
    follower.await();
    scorer = new RecordScorer<>(follower, choice, RecordKey.none(), 1, metrics);
    opened.add(scorer);
  }

  @Override
  public Collection<RowData> predict(RowData row) {
    if (hasNews.getAndSet(false)) {
      scorer.swap(this::answer);
    }
    answers.clear();
    scorer.add(new StreamRecord<>(row));
    scorer.flush(this::answer);
    return answers;
  }

  private void answer(StreamRecord<RowData> row, RecordScore score, List<String> names) {
    answers.add(form.answer(score, names));
  }

  @Override
  public void close() throws Exception {
    if (opened != null) {
      for (AutoCloseable it : opened) {
        it.close();
      }
      opened = null;
      NativeWorkspace.free();
    }
  }
}
