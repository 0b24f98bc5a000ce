package controlplane

import java.io.File

/** Bytes of one event. */
private const val EVENT_LIMIT = 50_000

/**
 * Sends an app's product events to the control plane. Safe from any thread; no call throws or waits
 * for disk or network beyond one append to an open file, and one small file in the first `start`.
 */
class EventClient internal constructor(private val environment: Environment) {
    private val lock = Any()
    private val queue = Queue(lock, ::report)
    private var flusher: Flusher? = null
    private var disk: Disk? = null
    private var reporter: Reporter? = null
    private var identity = Identity()

    constructor() : this(SystemEnvironment())

    /** Begins to take events; what was tracked before is dropped. A second call is ignored. */
    fun start(options: Options) {
        val made = Reporter(options, environment)
        val fault = faultOf(options.key, options.url)
        if (fault != null) {
            return environment.run { made.report(ClientError(ClientError.Code.INVALID_OPTIONS, fault)) }
        }
        synchronized(lock) {
            if (flusher != null) return
            flusher = Flusher(Settings(options), environment, queue) { made.report(it) }
            reporter = made
            open(options.directory)
        }
        environment.run { load() }
    }

    /**
     * Values are texts, numbers of every kind, booleans and null; what is none of these is left out and
     * reported.
     */
    @JvmOverloads
    fun track(name: String, props: Map<String, Any?> = emptyMap()) {
        if (!name.isEventName) {
            return reportIfActive(ClientError.Code.INVALID_NAME, "\"${name.cut(80)}\" is not an event name.")
        }
        val faults = ArrayList<ClientError>()
        val isNewSession = synchronized(lock) {
            if (!isActive) return
            append(name, props, faults)
        }
        environment.run {
            faults.forEach { reporter?.report(it) }
            if (isNewSession) saveIdentity()
            queue.trim()
            flusher?.schedule()
        }
    }

    /** `track("screen_viewed", mapOf("screen" to name))`. */
    fun screen(name: String) = track("screen_viewed", mapOf("screen" to name))

    /** Attaches an opaque id to later events, never an e-mail address; null clears it. */
    fun identify(userId: String?) {
        val fault = userId?.userIdFault
        if (fault != null) reportIfActive(ClientError.Code.INVALID_USER_ID, fault)
        change { it.copy(userId = if (fault == null) userId else null) }
    }

    /** The id to ask for experiments and entitlements with; null before `start` and after `optOut`. */
    val anonymousId: String? get() = synchronized(lock) { identity.anonymousId.takeIf { it.isNotEmpty() } }

    /** For a shared device: new anonymous id and session, no user id. Unsent events keep theirs. */
    fun reset() = change { Identity(environment.newId()) }

    /**
     * Sends what waits, now. `done` is called on a background thread, at once while another flush runs.
     */
    @JvmOverloads
    fun flush(done: Runnable = Runnable {}) = environment.run {
        val started = synchronized(lock) { flusher }
        if (started == null) {
            done.run()
        } else {
            saveIdentity()
            started.flush { done.run() }
        }
    }

    /** Stops for good on this device: the queue and every id are deleted. */
    fun optOut() {
        synchronized(lock) {
            if (flusher == null) return
            identity = Identity(optedOut = true)
            queue.forgetAll()
        }
        environment.run {
            flusher?.halt()
            queue.clearDisk()
            saveIdentity()
        }
    }

    /** Takes `optOut` back; the person starts as a new one. */
    fun optIn() {
        synchronized(lock) {
            if (flusher == null || !identity.optedOut) return
            identity = Identity(environment.newId())
        }
        environment.run { saveIdentity() }
    }

    internal val isStarted: Boolean get() = synchronized(lock) { flusher != null }

    /**
     * Events waiting in memory and on disk, 0 only when nothing waits. Right after `start`, each file of an
     * earlier launch counts as one event until it has been read.
     */
    val queuedCount: Int get() = queue.countWithUnread

    private val isActive: Boolean get() = flusher != null && !identity.optedOut

    // Under the lock.

    private fun open(directory: File?) {
        disk = Disk.at(directory)
        when (val found = disk?.readIdentity()) {
            is Disk.Found.Known -> identity = found.identity
            Disk.Found.Unreadable -> {
                disk = null
                identity = Identity(environment.newId())
            }
            Disk.Found.Nothing, null -> {
                identity = Identity(environment.newId())
                // At once: a first launch that is killed early would be a person of its own.
                disk?.write(identity)
            }
        }
        queue.open(disk?.directory)
        if (identity.optedOut) queue.forgetAll()
    }

    /** Whether a new session began. */
    private fun append(name: String, props: Map<String, Any?>, faults: MutableList<ClientError>): Boolean {
        val now = environment.now()
        val before = identity.session
        identity = identity.touched(now, environment::newId)
        val clean = cleaned(props) { key ->
            faults += ClientError(ClientError.Code.INVALID_PROPERTY, "Property \"${key.cut(80)}\" is no text, number or boolean.")
        }
        val id = environment.newId()
        val event = linkedMapOf<String, Any?>(
            "id" to id,
            "name" to name,
            "ts" to isoTimestamp(now),
            "anonymousId" to identity.anonymousId,
        )
        identity.userId?.let { event["userId"] = it }
        event["sessionId"] = identity.session?.id
        if (clean.isNotEmpty()) event["props"] = clean
        val json = Json.write(event).toByteArray()
        if (json.size > EVENT_LIMIT) {
            faults += ClientError(ClientError.Code.EVENT_TOO_LARGE, "\"$name\" is too large.")
        } else if (!queue.append(Entry(id, name, json))) {
            faults += ClientError(ClientError.Code.STORAGE_UNAVAILABLE, "An event is kept in memory only.")
        }
        return before?.id != identity.session?.id
    }

    private fun change(to: (Identity) -> Identity) {
        synchronized(lock) {
            if (!isActive) return
            identity = to(identity)
        }
        environment.run { saveIdentity() }
    }

    private fun reportIfActive(code: ClientError.Code, message: String) {
        if (synchronized(lock) { isActive }) environment.run { report(ClientError(code, message)) }
    }

    // On the client's thread.

    private fun report(error: ClientError) {
        synchronized(lock) { reporter }?.report(error)
    }

    /** Reads what earlier launches left. */
    private fun load() {
        if (!queue.isOnDisk) {
            report(ClientError(ClientError.Code.STORAGE_UNAVAILABLE, "Nothing outlives this launch."))
        }
        queue.load()
        saveIdentity()
        queue.trim()
        queue.tidy()
        flusher?.schedule()
    }

    private fun saveIdentity() {
        val (folder, known) = synchronized(lock) { disk to identity }
        folder?.write(known)
    }
}
