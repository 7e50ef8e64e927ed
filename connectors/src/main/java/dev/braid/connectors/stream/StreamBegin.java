package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.LineageEntry;
import java.util.List;
import java.util.SortedMap;

/**
 * Lineage and state from which a run begins or resumes.
 *
 * @param later entries of the lineage after those of the state
 * @param added first offsets of partitions that the state does not have
 */
record StreamBegin(
    Lineage lineage, StreamState state, List<LineageEntry> later, SortedMap<Integer, Long> added) {}
