package controlplane

import java.io.File
import java.util.Locale

/** What a client is started with. `controlplane.android` fills in what an Android app knows. */
class Options(
    /** The app's publishable key (`svp_…`). Never an organization key. */
    var key: String,
    /** Address of the service, such as `https://events.example.com`. */
    var url: String,
) {
    /** `ios`, `android`, `web`, `macos` or `other`. */
    var platform: String = "other"
    var appVersion: String? = null
    var osVersion: String? = System.getProperty("os.version")
    var locale: String? = Locale.getDefault().toLanguageTag()

    /** Two letters (ISO 3166-1); anything else is left out. */
    var country: String? = Locale.getDefault().country

    /** Milliseconds between flushes; at least 250. */
    var flushIntervalMs: Long = 3_000

    /** Events in a batch, clamped to 1..100. Batches fill to 100 when more than 100 wait. */
    var batchSize: Int = 20

    /**
     * Where the queue and the ids are kept; without it, nothing outlives the process. A process that
     * tracks on its own needs a folder of its own.
     */
    var directory: File? = null

    /** Prints every fault, and a line for each batch and its answer. */
    var debug: Boolean = false

    /** Called on a background thread. Without it each kind of fault that you can mend is printed once. */
    var onError: ErrorListener? = null
}
