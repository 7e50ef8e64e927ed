package dev.braid.job.page;

import dev.braid.run.result.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Record of the notes of a run that have been shown. Each note is shown once, although every status
 * repeats it. A long run has any number of notes, such as one for each recovery, so only the latest
 * ones are remembered.
 *
 * <p>Remembering only those of the latest status is not enough: after a failure, the first statuses
 * lack notes that later ones have again.
 */
public final class ShownNotes {

  /** Maximum number of remembered notes, several times as many as a status has. */
  private static final int MOST = 256;

  /** Notes in the order in which they were last reported. */
  private final Set<String> told = new LinkedHashSet<>();

  /** Returns the notes of a status that have not been shown, and marks them as shown. */
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
