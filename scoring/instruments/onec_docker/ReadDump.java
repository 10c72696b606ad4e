import com.github._1c_syntax.bsl.mdclasses.*;
import com.github._1c_syntax.bsl.mdo.*;
import com.github._1c_syntax.bsl.support.CompatibilityMode;
import com.github._1c_syntax.bsl.types.*;
import com.github._1c_syntax.bsl.types.qualifiers.*;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;

/**
 * Reads a configuration dump with the library that BSL Language Server reads configurations with (mdclasses, LGPL, not part of
 * this project) and tells what it found. Arguments: the file to write, folders of dumps. Written: a line a dump, the JSON
 * array [configuration, object, object, …] with every field that the library offers, or {"failed": reason}. What the library
 * logs comes out as it is. Started as a source file: no build.
 */
public class ReadDump {
  // The same things again, seen from elsewhere.
  private static final Set<String> SKIPPED = Set.of("getOwner", "getMdoRef", "getMdoType", "getDescription", "getModuleTypes", "getAllModules", "getAllAttributes", "getStorageFields",
      "getPlainStorageFields", "getChildren", "getPlainChildren", "getModulesByType", "getModulesByURI", "getModulesByObject",
      "getCommonModulesByName", "getChildrenByMdoRef", "getClass");

  private final Path root;
  private final StringBuilder out = new StringBuilder();

  private ReadDump(Path root) { this.root = root; }

  public static void main(String[] arguments) throws Exception {
    try (PrintWriter told = new PrintWriter(arguments[0], StandardCharsets.UTF_8)) {
      for (int i = 1; i < arguments.length; i++) told.println(new ReadDump(Path.of(arguments[i]).toAbsolutePath()).read());
    }
  }

  private String read() {
    try {
      MDClass found = MDClasses.createConfiguration(root);
      if (!(found instanceof Configuration configuration)) return "{\"failed\":\"no configuration\"}";
      List<Object> all = new ArrayList<>(List.of(configuration));
      all.addAll(configuration.getChildren());
      value(all);
      return out.toString();
    } catch (Throwable failed) {
      out.setLength(0);
      out.append("{\"failed\":");
      text(failed.toString());
      return out.append('}').toString();
    }
  }

  private void value(Object value) throws Exception {
    if (value == null) out.append("null");
    else if (value instanceof Boolean || value instanceof Number) out.append(value);
    else if (value instanceof MdoReference reference) text(reference.getMdoRef());
    else if (value instanceof MultiLanguageString many) text(many.get("ru"));
    else if (value instanceof URI place) text(root.relativize(Path.of(place)).toString());
    else if (value instanceof ValueTypeDescription types) types(types);
    else if (value instanceof CompatibilityMode mode) text("8." + mode.getMinor() + "." + mode.getVersion());
    else if (value instanceof MultiName name) text(name.getRu());
    else if (value instanceof java.lang.Enum<?> one) text(one.name());
    else if (value instanceof Collection<?> many) list(many);
    else if (value instanceof MD || value instanceof com.github._1c_syntax.bsl.mdo.Module || value instanceof MDClass) fields(value);
    else text(value.toString());
  }

  private void list(Collection<?> many) throws Exception {
    out.append('[');
    boolean first = true;
    for (Object one : many) {
      if (!first) out.append(',');
      first = false;
      value(one);
    }
    out.append(']');
  }

  private void fields(Object object) throws Exception {
    out.append("{\"class\":");
    text(object.getClass().getSimpleName());
    Map<String, Method> getters = new TreeMap<>();
    for (Method method : object.getClass().getMethods()) {
      String name = method.getName();
      if (java.lang.reflect.Modifier.isStatic(method.getModifiers())) continue;
      boolean getter = name.startsWith("get") || (name.startsWith("is") && method.getReturnType() == boolean.class);
      if (getter && method.getParameterCount() == 0 && !SKIPPED.contains(name) && !method.isBridge()) getters.put(name, method);
    }
    for (Method getter : getters.values()) {
      // A common module is its own only module.
      if (object instanceof CommonModule && getter.getName().equals("getModules")) continue;
      Object found = getter.invoke(object);
      // The objects of a configuration have entries of their own.
      if (object instanceof MDClass && found instanceof Collection<?> many && many.stream().anyMatch(one -> one instanceof MDObject)) continue;
      String name = getter.getName().replaceFirst("^(get|is)", "");
      out.append(',');
      text(Character.toLowerCase(name.charAt(0)) + name.substring(1));
      out.append(':');
      value(found);
    }
    out.append('}');
  }

  private void types(ValueTypeDescription description) throws Exception {
    out.append("{\"types\":");
    List<String> names = new ArrayList<>();
    for (ValueType type : description.getTypes()) names.add(type.fullName().getEn());
    list(names);
    out.append(",\"qualifiers\":[");
    String comma = "";
    for (Qualifier qualifier : description.getQualifiers()) {
      out.append(comma);
      comma = ",";
      if (qualifier instanceof NumberQualifiers n) values("number", n.getPrecision(), n.getScale(), n.isNonNegative());
      else if (qualifier instanceof StringQualifiers s) values("string", s.getLength(), s.getAllowedLength());
      else if (qualifier instanceof DateQualifiers d) values("date", d.getDateFractions());
      else values(qualifier.toString());
    }
    out.append("]}");
  }

  private void values(Object... all) throws Exception { list(Arrays.asList(all)); }

  private void text(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
