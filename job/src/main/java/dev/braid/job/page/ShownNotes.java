package dev.braid.job.page;

import dev.braid.run.result.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which notes of a run have been shown: each is shown once, though every status repeats it. A run
 * that goes on for long has any number of notes, one for each recovery, say: those that were told
 * last are remembered.
 *
 * <p>To remember only the latest status's is not enough: after a failure, the first statuses lack
 * notes that later ones have again.
 */
public final class ShownNotes {

  /** Several times as many as a status has. */
  private static final int MOST = 256;

  /** The one that was told last is the last. */
  private final Set<String> told = new LinkedHashSet<>();

  /** The notes of a status that have not been shown; they count as shown from then on. */
  public List<String> take(Status status) {
    List<String> unseen = new ArrayList<>();
    for (String note : status.notes()) {
      if (!told.remove(note)) {
        unseen.add(note);
      }
      told.add(note);
    }
    forget(told.size() - Math.max(MOST, status.notes().size()));
    return unseen;
  }

  private void forget(int count) {
    Iterator<String> oldest = told.iterator();
    for (int i = 0; i < count; i++) {
      oldest.next();
      oldest.remove();
    }
  }
}
