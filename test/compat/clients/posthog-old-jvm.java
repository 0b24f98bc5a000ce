import com.posthog.java.HttpSender;
import com.posthog.java.PostHog;
import com.posthog.java.QueueManager;
import com.posthog.java.Sender;
import com.posthog.java.shaded.org.json.JSONObject;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Phaser;

/** Sends two events of each person by PostHog's older client for Java. */
class PosthogOldJvm {
    /** A party for each event that is not delivered yet. */
    static final Phaser PENDING = new Phaser(1);

    /** The client knows no other time than its own, and gives up after some tries. */
    record Delivering(HttpSender real) implements Sender {
        public Boolean send(List<JSONObject> events) {
            for (JSONObject event : events) {
                event.put("timestamp", ((JSONObject) event.get("properties")).remove("at"));
            }
            while (!Boolean.TRUE.equals(real.send(events))) continue;
            for (JSONObject event : events) PENDING.arriveAndDeregister();
            return true;
        }

        public JSONObject post(String route, String distinctId) {
            return real.post(route, distinctId);
        }
    }

    public static void main(String[] arguments) {
        int people = Integer.parseInt(arguments[2]);
        Instant begin = Instant.parse(arguments[3]);
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Sender sender = new Delivering(new HttpSender.Builder(arguments[1])
            .host(arguments[0] + "/v1/posthog")
            .initialRetryInterval(Duration.ofMillis(200))
            .build());
        QueueManager queue = new QueueManager.Builder(sender).sleepMs(20)
            .maxTimeInQueue(Duration.ofMillis(200)).build();
        PostHog analytics = new PostHog.BuilderWithCustomQueueManager(queue, sender).build();

        for (int person = 0; person < people; person += 1) {
            Instant at = begin.plusSeconds(person);
            Map<String, Object> own = Map.of(
                "$os_name", "iOS",
                "$os_version", "18.1",
                "$app_version", "1.4.0",
                "$locale", "de-DE",
                "$geoip_country_code", "DE",
                "$device_id", String.format("device-%04d", person));
            var opened = new HashMap<>(own);
            opened.putAll(Map.of("from", "push", "person", person, "at", at.toString()));
            var bought = new HashMap<>(own);
            String later = at.plusSeconds(60).toString();
            bought.putAll(Map.of("plan", "year", "items", List.of("a"), "at", later));
            PENDING.bulkRegister(2);
            analytics.capture("user-" + person, "Application Opened", opened);
            analytics.capture("user-" + person, "Purchase Completed", bought);
            if (person % 25 != 24 && person != people - 1) continue;
            PENDING.arriveAndAwaitAdvance();
            out.println(person + 1);
        }
        System.exit(0);
    }
}
