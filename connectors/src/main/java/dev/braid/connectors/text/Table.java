package dev.braid.connectors.text;

import java.io.Serializable;

/** What is known of a table's columns: what a user has said of them, or all of it. */
public sealed interface Table extends Serializable permits TableOptions, TableSchema {}
