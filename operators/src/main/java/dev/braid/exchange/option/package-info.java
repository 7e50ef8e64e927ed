/**
 * What users may choose of an exchange. An {@link dev.braid.exchange.option.ExchangeOption} is
 * declared beside the exchange that has it, once: its name, what values are right, its default and
 * its help. The command line, the run's record, the list of exchanges and the errors know it from
 * there.
 *
 * <p>What is typed becomes a value by the option's {@link dev.braid.exchange.option.ValueForm}: a
 * whole number, a word out of several, or a type of its own that reads itself, such as {@link
 * dev.braid.exchange.option.Bandwidth} and {@link dev.braid.exchange.option.LinkTimeout}. What is
 * wrong with it is said in the message of an exception. The reader of the whole text puts the
 * option's name before that message.
 */
package dev.braid.exchange.option;
