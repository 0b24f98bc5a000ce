package controlplane.flags

import controlplane.Ask
import controlplane.HttpAnswer
import controlplane.Json
import controlplane.baseOf
import controlplane.faultOfAddress
import controlplane.guarded
import controlplane.readObject
import controlplane.writeObject
import java.io.File
import java.net.URLEncoder
import java.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

private const val LEAST_REFRESH_MS = 5_000L
private const val DAY_MS = 86_400_000L

/**
 * Reads an app's flags from the control plane. Safe from any thread; no read throws or waits.
 *
 *     val flags = Flags(options)
 *     if (flags.flag("new_checkout", false)) …
 */
class Flags(private val options: FlagOptions) {
    private enum class Exposure { SENDING, SENT, FAILED }

    private val ask = Ask("control-plane-flags", options.timeoutMs, options.onError)
    private val file = options.directory?.let { File(it, "flags.json") }
    private val fault = if (options.isFlagKey) faultOfAddress(options.url) else "`key` is no flag key (svf_…)."
    private val endpoint = "${baseOf(options.url)}/v1/ofrep/v1/evaluate/flags"

    private val lock = Any()
    private var person = options.person
    private var context = options.context

    /** Of the person and context that are asked for; an answer for earlier ones is too late. */
    private var turn = 0
    private var last: Answer? = Answer.kept(readObject(file), person)
    private var read = LinkedHashSet<String>()
    private var exposures = HashMap<String, Exposure>()
    private var listeners = emptyList<Runnable>()
    private var isStopped = false
    private var timer: ScheduledFuture<*>? = null

    init {
        if (fault != null) ask.thread.execute { ask.failed(fault) } else refresh()
    }

    /** Calls back once the service has answered, or has not in time. */
    fun ready(done: Runnable) = ask.thread.execute(done)

    /**
     * The value of the last answer, else of the defaults, else the fallback: the first that is of the
     * fallback's type. Where a running experiment decides, the first call says that the person saw the arm.
     */
    fun flag(name: String, fallback: Boolean): Boolean = find(name) { it as? Boolean } ?: fallback

    fun flag(name: String, fallback: String): String = find(name) { it as? String } ?: fallback

    fun flag(name: String, fallback: Double): Double = find(name) { (it as? Number)?.toDouble() } ?: fallback

    /** A number with a fraction is none of these. */
    fun flag(name: String, fallback: Long): Long = find(name, ::wholeOf) ?: fallback

    fun flag(name: String, fallback: Int): Int =
        find(name) { value -> wholeOf(value)?.takeIf { it.toInt().toLong() == it }?.toInt() } ?: fallback

    /** Numbers in it are `Long` or `Double`. */
    fun flag(name: String, fallback: Map<String, Any?>): Map<String, Any?> = find(name, ::objectOf) ?: fallback

    /** Asks now. */
    @JvmOverloads
    fun refresh(done: AnsweredListener = AnsweredListener {}) = ask.thread.execute {
        val isAnswered = fault == null && asked()
        guarded { done.onAnswered(isAnswered) }
    }

    /** Another person, another context: what the earlier ones were given is no longer shown. */
    @JvmOverloads
    fun use(person: String?, context: Map<String, Any?>? = null, done: AnsweredListener = AnsweredListener {}) {
        synchronized(lock) {
            turn += 1
            if (this.person != person) {
                exposures = HashMap()
                last = Answer.kept(readObject(file), person)
            }
            this.person = person
            if (context != null) this.context = context
        }
        refresh(done)
    }

    /** Called when a value has changed, on a background thread. */
    fun onChange(listener: Runnable) = synchronized(lock) { listeners = listeners + listener }

    /** Asks no more by itself. */
    fun stop() = synchronized(lock) {
        isStopped = true
        timer?.cancel(false)
        Unit
    }

    private fun <T> find(name: String, fits: (Any?) -> T?): T? = synchronized(lock) {
        val found = fits(last?.values?.get(name))
        if (found != null && last?.arms.orEmpty().contains(name)) {
            if (name !in exposures) expose(name)
        } else {
            read.add(name)
        }
        found ?: fits(options.defaults[name])
    }

    /** Evaluating one flag is the exposure; one that fails is tried again after the next answer. */
    private fun expose(name: String) {
        val ours = exposures
        val about = context + ("targetingKey" to person)
        ours[name] = Exposure.SENDING
        ask.thread.execute {
            val answer = post("$endpoint/${URLEncoder.encode(name, "UTF-8")}", about, null)
            synchronized(lock) { ours[name] = if (answer?.status == 200) Exposure.SENT else Exposure.FAILED }
        }
    }

    private fun post(address: String, about: Map<String, Any?>, etag: String?): HttpAnswer? {
        val headers = mapOf("authorization" to "Bearer ${options.key.trim()}", "if-none-match" to etag)
        val given = headers.mapNotNull { (name, value) -> value?.let { name to it } }.toMap()
        return ask.send("POST", address, given, Json.write(mapOf("context" to about)))
    }

    // On the thread.

    private fun asked(): Boolean {
        val (target, now) = synchronized(lock) { person to turn }
        if (target.isNullOrEmpty()) return false
        val (names, about, known) = synchronized(lock) {
            Triple(read.toList(), context, last?.takeIf { it.person == target }?.etag)
        }
        val answer = post(endpoint, about + mapOf("targetingKey" to target, "flagsRead" to names), known)
        val isAnswered = answer != null && takes(answer, target, now)
        if (isAnswered) synchronized(lock) {
            read.removeAll(names.toSet())
            exposures.filterValues { it == Exposure.FAILED }.keys.forEach(::expose)
        }
        val waitMs = if (isAnswered) 0 else (answer?.header?.invoke("retry-after")?.toLongOrNull() ?: 0) * 1_000
        schedule(waitMs)
        return isAnswered
    }

    private fun takes(answer: HttpAnswer, target: String, now: Int): Boolean {
        if (answer.status == 304) return true
        val fresh = if (answer.status == 200) Answer.of(target, answer.body, answer.header("etag")) else null
        if (fresh == null) {
            ask.failed(answer)
            return false
        }
        val heard = synchronized(lock) {
            if (now != turn) return true
            val isNew = last?.values != fresh.values
            last = fresh
            if (isNew) listeners else emptyList()
        }
        writeObject(file, fresh.kept())
        heard.forEach { guarded(it::run) }
        return true
    }

    private fun schedule(waitMs: Long) = synchronized(lock) {
        timer?.cancel(false)
        if (isStopped || options.refreshMs <= 0) return
        val ms = maxOf(options.refreshMs, LEAST_REFRESH_MS, waitMs).coerceAtMost(DAY_MS)
        timer = ask.thread.schedule({ asked() }, ms, TimeUnit.MILLISECONDS)
    }
}
