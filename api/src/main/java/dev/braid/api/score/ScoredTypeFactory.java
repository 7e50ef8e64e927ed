package dev.braid.api.score;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Lets Flink find the type of scored records that a function returns. */
public final class ScoredTypeFactory<T> extends TypeInfoFactory<Scored<T>> {

  @Override
  @SuppressWarnings("unchecked")
  public TypeInformation<Scored<T>> createTypeInfo(
      Type type, Map<String, TypeInformation<?>> parameters) {
    return new ScoredType<>((TypeInformation<T>) parameters.get("T"));
  }
}
