package controlplane

import java.net.URI
import java.net.URISyntaxException

private val KEY = Regex("svp_[A-Za-z0-9_-]+")
private val PLATFORMS = setOf("ios", "android", "web", "macos", "other")
private const val DAY_MS = 86_400_000L

/** Why nothing can be asked with these; null when it can. */
internal fun faultOf(key: String, url: String): String? = when {
    key.trim().startsWith("svk_") -> "An organization key must not be in an app."
    !KEY.matches(key.trim()) -> "`key` is no publishable key (svp_…)."
    else -> faultOfAddress(url)
}

internal fun faultOfAddress(url: String): String? =
    if (baseOf(url) == null) "`url` is such as https://host, without /v1." else null

/** The address without its last slashes; null when it is none of a service. */
internal fun baseOf(address: String): String? {
    val base = address.trim().trimEnd('/')
    if (base.endsWith("/v1") || base.endsWith("/v1/events")) return null
    val uri = try {
        URI(base)
    } catch (_: URISyntaxException) {
        return null
    }
    val isAddress = uri.scheme in setOf("https", "http") && !uri.host.isNullOrEmpty()
    return base.takeIf { isAddress && uri.rawQuery == null && uri.rawFragment == null }
}

/** The options in the form in which they are used. */
internal class Settings(options: Options) {
    val endpoint = baseOf(options.url) + "/v1/events"
    val key = options.key.trim()
    val intervalMs = options.flushIntervalMs.coerceIn(250, DAY_MS)
    val batchSize = options.batchSize.coerceIn(1, 100)
    val debug = options.debug

    /** JSON of the batch context. */
    val context: ByteArray = Json.write(
        mapOf(
            "platform" to if (options.platform in PLATFORMS) options.platform else "other",
            "appVersion" to options.appVersion?.cut(40),
            "osVersion" to options.osVersion?.cut(40),
            "locale" to options.locale?.cut(16),
            "country" to options.country?.takeIf { it.isCountry },
        ).filterValues { it != null }.mapValues { it.value?.replace("\u0000", "") },
    ).toByteArray()
}
