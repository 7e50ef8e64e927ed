/**
 * The options of exchanges. An {@link dev.braid.exchange.option.ExchangeOption} is declared once,
 * next to the exchange that has it: its name, valid values, default and help. The command line, the
 * run's record, the list of exchanges and the errors use this declaration.
 *
 * <p>The option's {@link dev.braid.exchange.option.ValueForm} converts typed text to a value: a
 * whole number, one word out of several, or a type with its own parser, such as {@link
 * dev.braid.exchange.option.Bandwidth} and {@link dev.braid.exchange.option.LinkTimeout}. If the
 * text is invalid, the message of an exception says why. The reader of the whole text puts the
 * option's name before that message.
 */
package dev.braid.exchange.option;
