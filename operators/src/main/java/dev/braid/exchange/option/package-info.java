/**
 * What users may choose of an exchange. An {@link dev.braid.exchange.option.ExchangeOption} is
 * declared beside the exchange that has it, once: its name on the command line, what values are
 * right, its default and its help. The command line, {@code compare}'s short forms, the run's JSON
 * and the errors know it from there.
 */
package dev.braid.exchange.option;
