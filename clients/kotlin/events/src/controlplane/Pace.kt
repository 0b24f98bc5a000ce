package controlplane

import java.text.ParseException
import java.text.SimpleDateFormat
import java.util.Locale

private const val LONGEST_DELAY_MS = 5 * 60_000.0
private const val LONGEST_RETRY_AFTER_MS = 86_400_000L

/** When to try again. */
internal class Pace(private val intervalMs: Long) {
    private var failures = 0
    private var askedMs = 0L
    private var askedAt = 0L
    private var isBinding = false

    val isFailing: Boolean get() = failures > 0

    // Measured from the answer, so that a clock set back cannot bar for longer than was asked.
    private fun remaining(now: Long): Long {
        val waited = now - askedAt
        return if (waited < 0) 0 else maxOf(askedMs - waited, 0)
    }

    /** Milliseconds to the next flush that nobody asks for. */
    fun delay(now: Long, random: Double): Long {
        val grown = minOf(intervalMs * Math.pow(2.0, maxOf(failures - 1, 0).toDouble()), LONGEST_DELAY_MS)
        val jittered = if (failures > 1) Math.ceil(grown * (0.5 + random / 2)).toLong() else intervalMs
        return maxOf(jittered, intervalMs, remaining(now))
    }

    /** The server said, with 429 or 401, not to come back yet: this binds an explicit flush too. */
    fun isBarred(now: Long): Boolean = isBinding && remaining(now) > 0

    fun failed(outcome: Outcome, now: Long) {
        failures = if (outcome.status == 429) maxOf(failures, 1) + 1 else failures + 1
        isBinding = outcome.status == 429 || outcome.status == 401
        askedAt = now
        askedMs = retryAfterMs(outcome.retryAfter, now)
    }

    fun recovered() {
        failures = 0
        askedMs = 0
        askedAt = 0
        isBinding = false
    }
}

/** Of `Retry-After`: a number of seconds, or a date. */
internal fun retryAfterMs(text: String?, now: Long): Long {
    val seconds = text?.trim()?.toDoubleOrNull()
    val milliseconds = when {
        text == null -> 0
        seconds != null && seconds.isFinite() -> (seconds * 1000).toLong()
        else -> try {
            val date = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss zzz", Locale.US).parse(text)
            (date?.time ?: now) - now
        } catch (_: ParseException) {
            0
        }
    }
    return milliseconds.coerceIn(0, LONGEST_RETRY_AFTER_MS)
}
