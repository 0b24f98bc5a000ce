import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Value;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Evaluates the cases of a file by OpenFeature's own provider; prints the values as JSON. */
public class OfrepProviderCases {
    static Object plain(Value value) {
        if (value.isStructure()) {
            Map<String, Object> map = new HashMap<>();
            value.asStructure().asMap().forEach((name, one) -> map.put(name, one == null ? null : plain(one)));
            return map;
        }
        if (value.isList()) {
            List<Object> list = new ArrayList<>();
            for (Value one : value.asList()) list.add(one == null ? null : plain(one));
            return list;
        }
        return value.asObject();
    }

    static Value valueOf(JsonNode node) {
        if (node.isBoolean()) return new Value(node.asBoolean());
        if (node.isNumber()) return new Value(node.asDouble());
        return new Value(node.asText());
    }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        JsonNode given = json.readTree(new File(System.getenv("CASES")));
        String bearer = "Bearer " + given.get("flagKey").asText();
        OpenFeatureAPI api = OpenFeatureAPI.getInstance();
        api.setProviderAndWait(OfrepProvider.constructProvider(OfrepProviderOptions.builder()
                .baseUrl(given.get("url").asText() + "/v1")
                .headers(ImmutableMap.of("authorization", ImmutableList.of(bearer)))
                .requestTimeout(Duration.ofSeconds(60))
                .build()));
        Client client = api.getClient();
        List<Object> values = new ArrayList<>();
        for (JsonNode one : given.get("cases")) {
            Map<String, Value> attributes = new HashMap<>();
            String[] person = new String[1];
            one.get("context").fields().forEachRemaining((field) -> {
                if (field.getKey().equals("targetingKey")) person[0] = field.getValue().asText();
                else attributes.put(field.getKey(), valueOf(field.getValue()));
            });
            ImmutableContext context = new ImmutableContext(person[0], attributes);
            String key = one.get("key").asText();
            FlagEvaluationDetails<?> details =
                    switch (one.get("type").asText()) {
                        case "boolean" -> client.getBooleanDetails(key, false, context);
                        case "string" -> client.getStringDetails(key, "fallback", context);
                        case "number" -> client.getDoubleDetails(key, -99.0, context);
                        default -> client.getObjectDetails(key, new Value("fallback"), context);
                    };
            Object value = details.getValue();
            if (details.getErrorCode() != null) value = details.getErrorCode() + " " + details.getErrorMessage();
            values.add(value instanceof Value ? plain((Value) value) : value);
        }
        System.out.println(json.writeValueAsString(values));
        System.exit(0);
    }
}
