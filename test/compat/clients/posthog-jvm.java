import com.posthog.server.PostHog;
import com.posthog.server.PostHogCaptureOptions;
import com.posthog.server.PostHogConfig;
import com.posthog.server.PostHogInterface;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends two events of each person by PostHog's client for servers in Java and Kotlin. */
class PosthogJvm {
    /** The client tells nobody what waits, except its log. */
    static class Log extends PrintStream {
        private static final Pattern TAKEN = Pattern.compile("Flushing (\\d+) events\\.");
        private int added = 0;
        private int waiting = 0;
        private int taken = 0;

        Log() { super(OutputStream.nullOutputStream()); }

        @Override
        public synchronized void println(Object line) {
            String said = String.valueOf(line);
            Matcher batch = TAKEN.matcher(said);
            if (said.endsWith("was added to the queue.")) {
                added += 1;
                waiting += 1;
            } else if (batch.matches()) {
                taken = Integer.parseInt(batch.group(1));
                waiting -= taken;
            } else if (said.contains("let's try again soon")) {
                waiting += taken;
                taken = 0;
            } else if (said.contains("Flushing failed:") && taken > 0) {
                // Without any answer the client loses the batch.
                System.err.println(said);
                Runtime.getRuntime().halt(1);
            }
        }

        synchronized boolean hasSent(int events) { return added == events && waiting == 0; }
    }

    public static void main(String[] arguments) throws Exception {
        int people = Integer.parseInt(arguments[2]);
        Instant begin = Instant.parse(arguments[3]);
        PrintStream out = System.out;
        Log log = new Log();
        System.setOut(log);
        PostHogInterface analytics = PostHog.with(PostHogConfig.builder(arguments[1])
            .host(arguments[0] + "/v1/posthog")
            .debug(true)
            .flushAt(100_000)
            .flushIntervalSeconds(86_400)
            .build());

        for (int person = 0; person < people; person += 1) {
            Instant at = begin.plusSeconds(person);
            Map<String, Object> own = Map.of(
                "$os_name", "iOS",
                "$os_version", "18.1",
                "$app_version", "1.4.0",
                "$locale", "de-DE",
                "$geoip_country_code", "DE",
                "$device_id", String.format("device-%04d", person));
            var opened = PostHogCaptureOptions.builder().properties(own)
                .property("from", "push").property("person", person).timestamp(Date.from(at));
            var bought = PostHogCaptureOptions.builder().properties(own)
                .property("plan", "year").property("items", List.of("a"))
                .timestamp(Date.from(at.plusSeconds(60)));
            analytics.capture("user-" + person, "Application Opened", opened.build());
            analytics.capture("user-" + person, "Purchase Completed", bought.build());
            if (person % 25 != 24 && person != people - 1) continue;
            while (!log.hasSent(2 * (person + 1))) {
                Thread.sleep(50);
                analytics.flush();
            }
            out.println(person + 1);
        }
        System.exit(0);
    }
}
