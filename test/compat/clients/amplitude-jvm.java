import com.amplitude.Amplitude;
import com.amplitude.AmplitudeCallbacks;
import com.amplitude.AmplitudeLog;
import com.amplitude.Event;
import java.time.Instant;
import java.util.concurrent.Phaser;
import org.json.JSONArray;
import org.json.JSONObject;

/** Sends two events of each person by Amplitude's client for Java. */
class AmplitudeJvm {
    static final Amplitude CLIENT = Amplitude.getInstance();
    /** A party for each event that is not accepted yet. */
    static final Phaser PENDING = new Phaser(1);

    static Event onPhone(String name, int person, long at) {
        Event event = new Event(name, "user-" + person, String.format("device-%04d", person));
        event.timestamp = at;
        event.platform = "iOS";
        event.osVersion = "18.1";
        event.appVersion = "1.4.0";
        event.country = "DE";
        return event;
    }

    /** The client gives up after twelve retries; its callback says so. */
    static void deliver(Event event) {
        CLIENT.logEvent(event, new AmplitudeCallbacks() {
            @Override
            public void onLogEventServerResponse(Event sent, int status, String message) {
                if (status == 200) PENDING.arriveAndDeregister();
                else deliver(sent);
            }
        });
    }

    public static void main(String[] arguments) {
        int people = Integer.parseInt(arguments[2]);
        long begin = Instant.parse(arguments[3]).toEpochMilli();
        CLIENT.init(arguments[1]);
        CLIENT.setServerUrl(arguments[0] + "/v1/amplitude/2/httpapi");
        CLIENT.setLogMode(AmplitudeLog.LogMode.OFF);
        CLIENT.setEventUploadThreshold(50).setEventUploadPeriodMillis(500);

        for (int person = 0; person < people; person += 1) {
            long at = begin + person * 1_000L;
            Event opened = onPhone("Application Opened", person, at);
            opened.eventProperties = new JSONObject().put("from", "push").put("person", person);
            Event bought = onPhone("Purchase Completed", person, at + 60_000);
            bought.eventProperties =
                new JSONObject().put("plan", "year").put("items", new JSONArray().put("a"));
            PENDING.bulkRegister(2);
            deliver(opened);
            deliver(bought);
            if (person % 25 != 24 && person != people - 1) continue;
            PENDING.arriveAndAwaitAdvance();
            System.out.println(person + 1);
        }
        System.exit(0);
    }
}
