package dev.braid.k8s;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Schema of an object, from the class with which an operator itself reads it. Such classes accept
 * unknown fields to be ready for later versions; here they are errors. Fields annotated as required
 * must exist.
 */
final class TypedSchema {

  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(new NothingUnknown())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private static final class NothingUnknown extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated annotated) {
      return super.findPropertyIgnoralByName(config, annotated).withoutIgnoreUnknown();
    }
  }

  private final Class<?> type;

  TypedSchema(Class<?> type) {
    this.type = type;
  }

  /** Returns the errors of an object. */
  List<String> mistakes(ObjectNode object) {
    try {
      List<String> missing = new ArrayList<>();
      collectMissing(STRICT.treeToValue(object, type), "", missing);
      return missing;
    } catch (JsonProcessingException e) {
      return List.of(e.getOriginalMessage());
    }
  }

  private void collectMissing(Object value, String path, List<String> missing) {
    if (value instanceof Collection<?> list) {
      list.forEach(element -> collectMissing(element, path + "[]", missing));
    } else if (value instanceof Map<?, ?> map) {
      map.values().forEach(element -> collectMissing(element, path + ".*", missing));
    } else if (value != null && isModel(value.getClass())) {
      BeanDescription description =
          STRICT.getSerializationConfig().introspect(STRICT.constructType(value.getClass()));
      for (BeanPropertyDefinition property : description.findProperties()) {
        collectMissing(property, value, path, missing);
      }
    }
  }

  private void collectMissing(
      BeanPropertyDefinition property, Object owner, String path, List<String> missing) {
    if (property.getAccessor() == null) {
      return;
    }
    String place = path + "." + property.getName();
    Object value = property.getAccessor().getValue(owner);
    if (value == null && property.isRequired()) {
      missing.add(place + ": is missing");
    }
    collectMissing(value, place, missing);
  }

  /** Returns whether a class is a model, instead of a text, a number or an enum. */
  private boolean isModel(Class<?> of) {
    return !of.isEnum()
        && (of.getName().startsWith("io.strimzi.") || of.getName().startsWith("io.fabric8."));
  }
}
