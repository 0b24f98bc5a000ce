package controlplane

import java.io.ByteArrayOutputStream

/** The server takes 64 KB. */
private const val BODY_LIMIT = 64_000
private const val BATCH_LIMIT = 100

/** What waits, as the client keeps it. */
internal interface Waiting {
    val count: Int

    fun head(count: Int, bytes: Int): List<Entry>

    fun remove(sent: List<Entry>)
}

/**
 * Sends the queue, one flush at a time, and decides when the next one is due. Every member runs on the
 * client's thread.
 */
internal class Flusher(
    private val settings: Settings,
    private val environment: Environment,
    private val queue: Waiting,
    private val report: (ClientError) -> Unit,
) {
    private enum class Verdict { DELIVERED, REFUSED, BARRED, SPLIT, AGAIN }

    private val pace = Pace(settings.intervalMs)
    private var bodyLimit = BODY_LIMIT
    private var cancelTimer: Cancel? = null
    private var timerIsSoon = false
    private var cancelPost: Cancel? = null
    private var waiters = ArrayList<() -> Unit>()
    private var isFlushing = false
    private var run = 0

    /** Sees to it that a timer runs when there is something to send. */
    fun schedule() {
        val count = queue.count
        val soon = count >= settings.batchSize && !pace.isFailing
        if (isFlushing || count == 0 || (cancelTimer != null && (timerIsSoon || !soon))) return
        clearTimer()
        timerIsSoon = soon
        val wait = if (soon) 0 else pace.delay(environment.now(), environment.random())
        cancelTimer = environment.runAfter(wait) { flush() }
    }

    /** Sends what waits. `done` is called at its end, or at once when another flush runs. */
    fun flush(done: () -> Unit = {}) {
        if (isFlushing || pace.isBarred(environment.now())) {
            schedule()
            return done()
        }
        clearTimer()
        isFlushing = true
        run += 1
        waiters.add(done)
        sendNext(run)
    }

    /** Ends what is under way. */
    fun halt() {
        run += 1
        clearTimer()
        cancelPost?.invoke()
        finish()
    }

    private fun clearTimer() {
        cancelTimer?.invoke()
        cancelTimer = null
    }

    private fun finish() {
        isFlushing = false
        val called = waiters
        waiters = ArrayList()
        called.forEach { it() }
    }

    private fun sendNext(mine: Int) {
        val count = if (queue.count > BATCH_LIMIT) BATCH_LIMIT else settings.batchSize
        val batch = queue.head(count, bodyLimit - settings.context.size - 40)
        if (batch.isEmpty()) return finish()
        val body = bodyOf(batch)
        cancelPost = environment.post(BatchRequest(settings.endpoint, settings.key, body)) { outcome ->
            if (settings.debug) environment.log(lineOf(batch, outcome))
            when {
                mine != run -> Unit
                settle(batch, body.size, outcome) -> sendNext(mine)
                else -> {
                    finish()
                    schedule()
                }
            }
        }
    }

    /** True when the next batch may go at once. */
    private fun settle(batch: List<Entry>, bytes: Int, outcome: Outcome): Boolean {
        val now = environment.now()
        val verdict = judge(outcome, batch.size, now)
        when (verdict) {
            Verdict.AGAIN -> {
                pace.failed(outcome, now)
                val message = listOfNotNull("It will be sent again.", outcome.failure).joinToString(" ")
                report(ClientError(ClientError.Code.NOT_DELIVERED, message, outcome.status, outcome.server))
                return false
            }
            Verdict.SPLIT -> bodyLimit = bytes / 2
            Verdict.DELIVERED -> {
                bodyLimit = minOf(bodyLimit * 2, BODY_LIMIT)
                queue.remove(batch)
            }
            Verdict.REFUSED, Verdict.BARRED -> {
                queue.remove(batch)
                val message = "The server refused a batch; it was dropped."
                report(ClientError(ClientError.Code.BATCH_DROPPED, message, outcome.status, outcome.server))
            }
        }
        if (verdict == Verdict.BARRED) pace.failed(outcome, now) else pace.recovered()
        return verdict != Verdict.BARRED
    }

    private fun judge(outcome: Outcome, events: Int, now: Long): Verdict {
        val status = outcome.status
        return when {
            status in 200..299 -> Verdict.DELIVERED
            status == 413 && events > 1 -> Verdict.SPLIT
            // A key that was revoked: no other batch fares better before the server's time is over.
            status == 401 && retryAfterMs(outcome.retryAfter, now) > 0 -> Verdict.BARRED
            status in 400..499 && status != 429 -> Verdict.REFUSED
            else -> Verdict.AGAIN
        }
    }

    /** What `debug` shows of a batch and its answer. */
    private fun lineOf(batch: List<Entry>, outcome: Outcome): String {
        val status = if (outcome.status == 0) "no answer: ${outcome.failure ?: "unknown"}" else "${outcome.status}"
        val answer = listOf(status) + outcome.server?.words.orEmpty()
        return "control-plane: ${batch.joinToString(",") { it.name }} → ${answer.joinToString(" ")}"
    }

    private fun bodyOf(batch: List<Entry>): ByteArray {
        val body = ByteArrayOutputStream()
        body.write("{\"events\":[".toByteArray())
        batch.forEachIndexed { index, entry ->
            if (index > 0) body.write(','.code)
            body.write(entry.json)
        }
        body.write("],\"context\":".toByteArray())
        body.write(settings.context)
        body.write('}'.code)
        return body.toByteArray()
    }
}
