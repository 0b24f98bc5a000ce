package controlplane

import java.util.UUID
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.TimeUnit

internal class BatchRequest(val endpoint: String, val key: String, val body: ByteArray)

internal class Outcome(
    /** HTTP status; 0 when there was no answer. */
    val status: Int,
    val retryAfter: String? = null,
    val server: ServerReason? = null,
    /** Why there was no answer, in the words of the system. */
    val failure: String? = null,
)

internal typealias Cancel = () -> Unit

/** Everything outside the client; tests pass their own. */
internal interface Environment {
    /** Milliseconds since 1970. */
    fun now(): Long

    /** In 0..<1. */
    fun random(): Double

    fun newId(): String

    /** Shows a line to whoever develops the app. */
    fun log(line: String)

    /** Shows whoever develops the app what is wrong. */
    fun warn(line: String)

    /** Runs on the client's own thread, never on the caller's. */
    fun run(work: () -> Unit)

    fun runAfter(milliseconds: Long, work: () -> Unit): Cancel

    /** Posts one batch; `done` is called once, on the client's thread. */
    fun post(request: BatchRequest, done: (Outcome) -> Unit): Cancel
}

/** The machine. Its threads keep no process alive. */
internal class SystemEnvironment : Environment {
    private val thread by lazy { executor("control-plane") }
    private val transport by lazy { Transport(executor("control-plane-send")) }

    override fun now(): Long = System.currentTimeMillis()
    override fun random(): Double = Math.random()
    override fun newId(): String = UUID.randomUUID().toString()
    override fun log(line: String) = println(line)
    override fun warn(line: String) = println(line)
    override fun run(work: () -> Unit) = thread.execute { guarded(work) }

    override fun runAfter(milliseconds: Long, work: () -> Unit): Cancel {
        val timer = thread.schedule({ guarded(work) }, milliseconds, TimeUnit.MILLISECONDS)
        return { timer.cancel(false) }
    }

    override fun post(request: BatchRequest, done: (Outcome) -> Unit): Cancel =
        transport.post(request) { outcome -> run { done(outcome) } }

    // The app's own listener failed; the client must go on.
    private fun guarded(work: () -> Unit) = try {
        work()
    } catch (failed: Exception) {
        warn("control-plane: $failed")
    }
}

internal fun executor(name: String): ScheduledThreadPoolExecutor {
    val executor = ScheduledThreadPoolExecutor(1) { work ->
        Thread(work, name).apply { isDaemon = true }
    }
    executor.removeOnCancelPolicy = true
    return executor
}
