/**
 * The command {@code braid compare}, which compares runs with different exchanges.
 *
 * <p>{@link dev.braid.job.compare.CompareCommand} lets a {@code ComparisonPlan} validate all runs
 * before the first starts. Each run is a {@code TrainRun}, a separate process, with its own
 * exchange from an {@code ExchangeSpec}. The results come only from the histories of runs, either
 * these or earlier ones ({@code --from}). Each {@code ComparedRun} has {@code Figures}; {@code
 * Columns} name them for a {@code ComparisonTable} and a {@code ComparisonPage}. {@code
 * RunConditions} list the common conditions of the runs, and warn if important ones differ.
 *
 * <p>Imports {@code train}, for the arguments of its command, {@code plan}, {@code page} and their
 * imports. It does not import {@code Main}, which passes its own class for the processes of runs.
 */
package dev.braid.job.compare;
