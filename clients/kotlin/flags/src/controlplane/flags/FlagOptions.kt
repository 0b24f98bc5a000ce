package controlplane.flags

import controlplane.FaultListener
import java.io.File

private val KEY = Regex("svf_[A-Za-z0-9_-]+")

class FlagOptions(
    /** The app's flag key (`svf_…`): it reads flags, which may be an exposure. */
    val key: String,
    /** Address of the service, such as `https://events.example.com`. */
    val url: String,
    /** Who gets the values: `ControlPlane.anonymousId`, or any id that stays. */
    val person: String?,
) {
    /** What rules go by: `platform`, `appVersion`, `osVersion`, `locale`, `country` and whatever else. */
    var context: Map<String, Any?> = emptyMap()

    /** Bundled with the app: what holds until the service has answered once. */
    var defaults: Map<String, Any?> = emptyMap()

    /** Where the last answer outlives the process: a folder of its own. */
    var directory: File? = null

    /** Milliseconds between two questions, at least 5,000; 0: only `refresh` asks. */
    var refreshMs: Long = 30_000

    /** Milliseconds after which connecting, or waiting for the answer, is given up. */
    var timeoutMs: Int = 2_000

    /** Why there is no answer. Called on a background thread. */
    var onError: FaultListener? = null

    internal val isFlagKey: Boolean get() = KEY.matches(key.trim())
}

fun interface AnsweredListener {
    /** Whether there was an answer. Called on a background thread. */
    fun onAnswered(isAnswered: Boolean)
}
