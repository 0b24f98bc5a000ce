package controlplane

import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone

private val EVENT_NAME = Regex("[a-z][a-z0-9_]{0,63}")
private val COUNTRY = Regex("[A-Za-z]{2}")
private val EMAIL = Regex("[^\\s@]+@[^\\s@]+\\.[^\\s@]+")

/** At most `limit` code points: the unit of every length in the contract. */
internal fun String.cut(limit: Int): String =
    if (length <= limit || codePointCount(0, length) <= limit) this else substring(0, offsetByCodePoints(0, limit))

internal val String.isEventName: Boolean get() = EVENT_NAME.matches(this)

internal val String.isCountry: Boolean get() = COUNTRY.matches(this)

/** Why this cannot be a user id; null when it can. */
internal val String.userIdFault: String?
    get() = when {
        isEmpty() -> "A user id is not empty."
        contains('\u0000') || cut(128) != this -> "A user id has at most 128 characters and no NUL."
        EMAIL.matches(this) -> "A user id is opaque, never an e-mail address."
        else -> null
    }

/** ISO 8601 in UTC with milliseconds. `java.time` would need Android 8. */
internal fun isoTimestamp(milliseconds: Long): String {
    val format = SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.US)
    format.timeZone = TimeZone.getTimeZone("UTC")
    return format.format(Date(milliseconds))
}
