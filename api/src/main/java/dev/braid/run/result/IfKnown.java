package dev.braid.run.result;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a figure that not every run has, such as accuracy: NaN if it is not known, and then absent
 * from JSON. Flink keeps such records in state, which does not support {@link
 * java.util.OptionalDouble}.
 */
@JacksonAnnotationsInside
@JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = IfKnown.Unknown.class)
@JsonDeserialize(using = IfKnown.Reader.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@interface IfKnown {

  /** Filter that equals each value to leave out. */
  final class Unknown {
    @Override
    public boolean equals(Object value) {
      return value instanceof Double number && number.isNaN();
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  /** Reads a number, which may be missing. */
  final class Reader extends StdScalarDeserializer<Double> {

    private static final long serialVersionUID = 1;

    Reader() {
      super(double.class);
    }

    @Override
    public Double deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return _parseDoublePrimitive(json, context);
    }

    @Override
    public Object getAbsentValue(DeserializationContext context) {
      return Double.NaN;
    }
  }
}
