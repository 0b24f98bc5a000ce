package controlplane.purchases

import controlplane.HttpCall
import controlplane.Json
import controlplane.baseOf
import controlplane.executor
import controlplane.faultOf
import controlplane.objectAt
import controlplane.longAt
import controlplane.replace
import controlplane.textAt
import java.io.File
import java.io.IOException
import java.net.URLEncoder

class PurchasesOptions(
    /** The app's publishable key (`svp_…`). Never an organization key. */
    val key: String,
    /** Address of the service, such as `https://events.example.com`. */
    val url: String,
) {
    /** Where the last answers outlive the process: a folder of their own. */
    var directory: File? = null

    /** Milliseconds after which connecting, or waiting for the answer, is given up. */
    var timeoutMs: Int = 2_000

    /** Milliseconds for which an answer holds where the service cannot be reached. */
    var longestAgeMs: Long = 30 * 86_400_000L

    /** Why there is no answer. Called on a background thread. */
    var onError: FaultListener? = null
}

fun interface FaultListener {
    fun onFault(message: String)
}

/** By whom the service is asked: at least one of the two. */
class Who(val userId: String?, val anonymousId: String?) {
    /** The same user, or the same device while one of the two is not signed in. */
    internal fun isSame(other: Who): Boolean =
        if (userId != null && other.userId != null) userId == other.userId
        else anonymousId != null && anonymousId == other.anonymousId
}

/** What a person may use. Newer releases of the service may know further values of `status`. */
class Entitlement internal constructor(
    val entitled: Boolean,
    val status: String,
    val productId: String?,
    val expiresAt: String?,
    /** Milliseconds since the service said so; 0 for an answer of now. */
    val ageMs: Long,
)

fun interface EntitlementListener {
    /** Called on a background thread; null where nothing is known. */
    fun onAnswer(entitlement: Entitlement?)
}

/** Asks the service what a person may use. Safe from any thread; no call throws or waits. */
class Purchases(private val options: PurchasesOptions) {
    private val thread by lazy { executor("control-plane-purchases") }
    private val file = options.directory?.let { File(it, "entitlements.json") }

    /** By name: whose, since when and what. Reached on the thread only. */
    private var kept: Map<String, Any?> = emptyMap()
    private var isRead = false

    /**
     * What this person may use by a name of the app, such as `pro`: the service's answer, else the last
     * one for the same person and name that is not too old.
     */
    fun named(who: Who, name: String, listener: EntitlementListener) = thread.execute {
        val answer = ask(who, name)
        if (answer != null) keep(who, name, answer)
        listener.onAnswer(if (answer != null) entitlement(answer, 0) else known(who, name))
    }

    /** Forgets what is kept; call it beside `reset()`. */
    fun forget() = thread.execute {
        kept = emptyMap()
        isRead = true
        file?.delete()
    }

    private fun ask(who: Who, name: String): Map<String, Any?>? {
        val fault = faultOf(options.key, options.url)
        if (fault != null) return failed(fault)
        val query = listOf("userId" to who.userId, "anonymousId" to who.anonymousId, "entitlement" to name)
            .mapNotNull { (field, value) -> value?.let { "$field=${URLEncoder.encode(it, "UTF-8")}" } }
        val address = "${baseOf(options.url)}/v1/purchases/entitlement?${query.joinToString("&")}"
        return try {
            val headers = mapOf("x-service-key" to options.key.trim())
            val answer = HttpCall(address, options.timeoutMs).send("GET", headers, null)
            val told = Json.parsed(answer.body)
            // A captive portal's page has none of these.
            if (answer.status == 200 && told?.get("entitled") is Boolean && told.textAt("status") != null) told
            else failed("${answer.status} ${answer.body.take(500)}")
        } catch (failed: IOException) {
            failed("$failed")
        }
    }

    private fun failed(message: String): Map<String, Any?>? {
        options.onError?.onFault(message)
        return null
    }

    private fun entitlement(answer: Map<String, Any?>, ageMs: Long) = Entitlement(
        answer["entitled"] == true,
        answer.textAt("status").orEmpty(),
        answer.textAt("productId"),
        answer.textAt("expiresAt"),
        ageMs,
    )

    private fun known(who: Who, name: String): Entitlement? {
        read()
        val last = kept.objectAt(name) ?: return null
        val answer = last.objectAt("answer") ?: return null
        val at = last.longAt("at") ?: return null
        // An answer from the future is one of a clock that was set back since.
        val ageMs = maxOf(System.currentTimeMillis() - at, 0)
        val isMine = who.isSame(Who(last.textAt("userId"), last.textAt("anonymousId")))
        return if (isMine && ageMs <= options.longestAgeMs) entitlement(answer, ageMs) else null
    }

    private fun keep(who: Who, name: String, answer: Map<String, Any?>) {
        read()
        kept = kept + (name to mapOf(
            "userId" to who.userId,
            "anonymousId" to who.anonymousId,
            "at" to System.currentTimeMillis(),
            "answer" to answer.filterKeys { it in setOf("entitled", "status", "productId", "expiresAt") },
        ))
        val folder = file?.parentFile ?: return
        if (folder.isDirectory || folder.mkdirs()) replace(file, Json.write(kept).toByteArray())
    }

    private fun read() {
        if (isRead) return
        isRead = true
        kept = try {
            file?.takeIf { it.exists() }?.let { Json.parsed(it.readText()) }.orEmpty()
        } catch (_: IOException) {
            emptyMap()
        }
    }
}
