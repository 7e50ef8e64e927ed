package dev.braid.connectors.text;

import java.io.Serializable;

/** Knowledge about a table's columns: only the user's options, or everything. */
public sealed interface Table extends Serializable permits TableOptions, TableSchema {}
