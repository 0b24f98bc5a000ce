import com.segment.analytics.Analytics;
import com.segment.analytics.Callback;
import com.segment.analytics.messages.Message;
import com.segment.analytics.messages.TrackMessage;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;

/** Sends two events of each person by Segment's client for Java. */
class SegmentJavaJvm {
    /** A party for each event that is not delivered yet. */
    static final Phaser PENDING = new Phaser(1);

    static final Map<String, Object> CONTEXT = Map.of(
        "app", Map.of("version", "1.4.0"),
        "os", Map.of("name", "iOS", "version", "18.1"),
        "locale", "de-DE",
        "location", Map.of("country", "DE"));

    static TrackMessage.Builder track(String name, int person, Instant at) {
        return TrackMessage.builder(name)
            .userId("user-" + person)
            .anonymousId(String.format("device-%04d", person))
            .timestamp(Date.from(at))
            .context(CONTEXT);
    }

    public static void main(String[] arguments) {
        int people = Integer.parseInt(arguments[2]);
        Instant begin = Instant.parse(arguments[3]);
        Analytics analytics = Analytics.builder(arguments[1])
            .endpoint(arguments[0] + "/v1/segment")
            .flushQueueSize(50)
            .flushInterval(1, TimeUnit.SECONDS)
            .retries(60)
            .callback(new Callback() {
                public void success(Message message) { PENDING.arriveAndDeregister(); }
                public void failure(Message message, Throwable error) {
                    System.err.println(error);
                    Runtime.getRuntime().halt(1);
                }
            })
            .build();

        for (int person = 0; person < people; person += 1) {
            Instant at = begin.plusSeconds(person);
            PENDING.bulkRegister(2);
            analytics.enqueue(track("Application Opened", person, at)
                .properties(Map.of("from", "push", "person", person)));
            analytics.enqueue(track("Purchase Completed", person, at.plusSeconds(60))
                .properties(Map.of("plan", "year", "items", List.of("a"))));
            if (person % 25 != 24 && person != people - 1) continue;
            analytics.flush();
            PENDING.arriveAndAwaitAdvance();
            System.out.println(person + 1);
        }
        System.exit(0);
    }
}
