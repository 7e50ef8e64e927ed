/**
 * The command {@code braid compare}: runs that differ in their exchange, side by side.
 *
 * <p>{@link dev.braid.job.compare.CompareCommand} has a {@code ComparisonPlan} check all runs
 * before the first begins. Each is a {@code TrainRun}, a process of its own, told by an {@code
 * ExchangeSpec} what it has otherwise. What is shown is made from the histories of runs alone, be
 * they of now or of last week ({@code --from}): of each {@code ComparedRun}, {@code Figures} are
 * the numbers and {@code Columns} how they are named, for a {@code ComparisonTable} and a {@code
 * ComparisonPage}. {@code RunConditions} are what runs have in common, and warn where that is too
 * little.
 *
 * <p>Imports {@code train}, for the words of its command, {@code plan}, {@code page} and what these
 * stand on; not {@code Main}, which tells it what {@code braid} begins with.
 */
package dev.braid.job.compare;
