import com.segment.analytics.kotlin.core.Analytics;
import com.segment.analytics.kotlin.core.BaseEvent;
import com.segment.analytics.kotlin.core.Settings;
import com.segment.analytics.kotlin.core.TrackEvent;
import com.segment.analytics.kotlin.core.compat.Builders;
import com.segment.analytics.kotlin.core.compat.ConfigurationBuilder;
import com.segment.analytics.kotlin.core.platform.Plugin;
import com.segment.analytics.kotlin.core.platform.policies.FlushPolicy;
import java.io.File;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import kotlinx.serialization.json.JsonObject;

/** Sends two events of each person by Segment's client for Kotlin and Java. */
class SegmentJvm {
    /** As the client writes it. */
    static final DateTimeFormatter MILLISECONDS =
        new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    record Who(int person, Instant at) {}

    /** The client knows one person and the time of now; plugins may change events. */
    static class OnPhone implements Plugin {
        final Map<JsonObject, Who> byProperties = Collections.synchronizedMap(new IdentityHashMap<>());
        private Analytics analytics;

        public BaseEvent execute(BaseEvent event) {
            Who who = byProperties.remove(((TrackEvent) event).getProperties());
            event.setAnonymousId(String.format("device-%04d", who.person));
            event.setUserId("user-" + who.person);
            event.setTimestamp(MILLISECONDS.format(who.at));
            JsonObject context = event.getContext();
            event.setContext(Builders.buildJsonObject(all -> {
                context.forEach(all::put);
                all.putJsonObject("app", app -> app.put("version", "1.4.0"))
                    .putJsonObject("os", os -> os.put("name", "iOS").put("version", "18.1"))
                    .put("locale", "de-DE")
                    .putJsonObject("location", place -> place.put("country", "DE"));
            }));
            return event;
        }

        public Type getType() { return Type.Enrichment; }
        public Analytics getAnalytics() { return analytics; }
        public void setAnalytics(Analytics one) { analytics = one; }
        public void setup(Analytics one) { analytics = one; }
        public void update(Settings settings, UpdateType type) {}
    }

    /** Knows how many events are in the client's files, where they wait to be sent. */
    static class Written implements FlushPolicy {
        final AtomicInteger events = new AtomicInteger();

        public void updateState(BaseEvent event) { events.incrementAndGet(); }
        public boolean shouldFlush() { return events.get() % 50 == 0; }
        public void schedule(Analytics analytics) {}
        public void unschedule() {}
        public void reset() {}
    }

    public static void main(String[] arguments) throws Exception {
        String host = arguments[0].replaceFirst("^https://", "") + "/v1/segment/v1";
        int people = Integer.parseInt(arguments[2]);
        Instant begin = Instant.parse(arguments[3]);
        OnPhone onPhone = new OnPhone();
        Written written = new Written();
        var configuration = new ConfigurationBuilder(arguments[1])
            .setApplication("compat")
            .setApiHost(host)
            .setCdnHost(host)
            .build();
        configuration.setFlushPolicies(List.of(written));
        Analytics analytics = new Analytics(configuration);
        analytics.add(onPhone);
        File waiting = new File(analytics.getStorage().getStorageDirectory(), "events");

        for (int person = 0; person < people; person += 1) {
            int number = person;
            Instant at = begin.plusSeconds(person);
            JsonObject opened = Builders.buildJsonObject(
                all -> all.put("from", "push").put("person", number));
            JsonObject bought = Builders.buildJsonObject(
                all -> all.put("plan", "year").putJsonArray("items", items -> items.add("a")));
            onPhone.byProperties.put(opened, new Who(person, at));
            onPhone.byProperties.put(bought, new Who(person, at.plusSeconds(60)));
            analytics.track("Application Opened", opened);
            analytics.track("Purchase Completed", bought);
            if (person % 25 != 24 && person != people - 1) continue;
            while (written.events.get() < 2 * (person + 1) || waiting.list().length > 0) {
                Thread.sleep(200);
                analytics.flush();
            }
            System.out.println(person + 1);
        }
        System.exit(0);
    }
}
