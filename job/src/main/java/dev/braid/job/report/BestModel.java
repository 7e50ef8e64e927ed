package dev.braid.job.report;

/**
 * The model of the epoch with the best test accuracy, which is kept beside the last.
 *
 * @param epoch from 1
 * @param testAccuracy from 0 to 1
 * @param model its path
 */
public record BestModel(int epoch, double testAccuracy, String model) {}
