package dev.braid.bench;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.image.Pixels;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.random.SplitMix;
import dev.braid.connectors.record.RecordDecoder;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.stream.StreamSource;
import dev.braid.connectors.text.TextSamples;
import dev.braid.connectors.topic.StreamTopic;
import java.util.List;

/** Dependencies among the packages of the connectors. */
class ConnectorsArchitectureTest extends Rooms {

  private static final Room FILE = Room.of(DataFile.class);
  private static final Room RANDOM = Room.of(SplitMix.class);
  private static final Room IMAGE = Room.of(Pixels.class, FILE, RANDOM);
  private static final Room TEXT = Room.of(TextSamples.class, FILE, RANDOM);
  private static final Room LOCATION = Room.of(DataLocation.class, FILE, IMAGE, TEXT);
  private static final Room RECORD = Room.of(RecordDecoder.class, FILE, RANDOM, TEXT);
  private static final Room SOURCE = Room.of(SampleSource.class, FILE, RANDOM, LOCATION);
  private static final Room TOPIC = Room.of(StreamTopic.class, FILE);
  private static final Room LINEAGE = Room.of(Lineage.class, FILE, TOPIC);
  private static final Room STREAM =
      Room.of(StreamSource.class, FILE, RECORD, SOURCE, TOPIC, LINEAGE);
  private static final Room REGISTRY = Room.of(ModelRegistry.class, FILE, TOPIC);

  ConnectorsArchitectureTest() {
    super(
        "dev.braid.connectors",
        List.of(
            FILE, RANDOM, IMAGE, TEXT, LOCATION, RECORD, SOURCE, TOPIC, LINEAGE, STREAM, REGISTRY));
  }
}
