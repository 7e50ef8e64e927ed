/**
 * The data that travel around the loop, and their form on the wire.
 *
 * <p>An {@link dev.braid.loop.envelope.Envelope} is usually a letter between ranks. Other envelopes
 * are greetings, probes of a path, and news of the links. Letters from one rank to another all take
 * the same way, so they arrive in the order in which they were sent.
 *
 * <pre>
 *   ┌──────────────┬──────────────────────────────┬──────────┐
 *   │ kind, header │ values, in the codec's form  │ checksum │   one record
 *   └──────────────┴──────────────────────────────┴──────────┘
 * </pre>
 *
 * <p>The loop's {@code EnvelopeSerializer} writes the kind of an envelope, and a {@link
 * dev.braid.loop.envelope.LetterCodec} the letters: values in bulk, which are read into arrays that
 * a pool lends. A letter takes at most a quarter of a network buffer, because Flink assembles a
 * record that is spread over two buffers in an array of its own. Only if sparse values are expected
 * and few of them are 0, a letter takes up to two buffers. With the option of checksums, a CRC-32C
 * detects damaged letters; these are dropped, and sent again like other lost letters.
 */
package dev.braid.loop.envelope;
