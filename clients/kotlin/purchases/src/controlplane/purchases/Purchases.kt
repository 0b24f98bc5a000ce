package controlplane.purchases

import controlplane.Ask
import controlplane.FaultListener
import controlplane.HttpAnswer
import controlplane.Json
import controlplane.baseOf
import controlplane.faultOf
import controlplane.guarded
import controlplane.textAt
import java.io.File
import java.net.URLEncoder

private val KEPT_FIELDS = setOf("entitled", "status", "productId", "expiresAt")

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

/** Hands purchases over, asks the service what a person may use and what to offer. Safe from any thread; no call throws or waits. */
class Purchases(private val options: PurchasesOptions) {
    private val ask = Ask("control-plane-purchases", options.timeoutMs, options.onError)
    private val entitlements = kept("entitlements.json")
    private val offered = kept("offerings.json")

    /**
     * What this person may use by a name of the app, such as `pro`: the service's answer, else the last
     * one for the same person and name that is not too old.
     */
    fun named(who: Who, name: String, listener: EntitlementListener) = ask.thread.execute {
        val query = mapOf("userId" to who.userId, "anonymousId" to who.anonymousId, "entitlement" to name)
        val told = get("/v1/purchases/entitlement", query, null, ::isEntitlement)?.let { Json.parsed(it.body) }
        if (told != null) entitlements.keep(name, who, told.filterKeys { it in KEPT_FIELDS })
        val answer = if (told != null) entitlement(told, 0)
        else entitlements.find(name, who)?.let { entitlement(it.answer, it.ageMs) }
        guarded { listener.onAnswer(answer) }
    }

    /**
     * What the paywall shows to this person: the service's answer, else the last one for the same device
     * and context that is not too old. `context` is for the rules of the flag that chooses: `platform`,
     * `appVersion`, `osVersion`, `locale`, `country`. `isShown`: it is on the screen, which is the exposure
     * of an experiment.
     */
    @JvmOverloads
    fun offerings(
        who: Who,
        context: Map<String, String?> = emptyMap(),
        isShown: Boolean = false,
        listener: OfferingsListener,
    ) = ask.thread.execute {
        // The service goes by the device; a user who signs in is offered the same.
        val device = Who(null, who.anonymousId)
        val query = context + ("anonymousId" to who.anonymousId)
        val name = queryOf(query.toSortedMap())
        val known = offered.find(name, device)
        val shown = if (isShown) mapOf("shown" to "true") else emptyMap()
        val answer = get("/v1/purchases/offerings", query + shown, known?.etag) { Offerings.of(it, 0) != null }
        val told = if (answer?.status == 304) known?.answer else answer?.let { Json.parsed(it.body) }
        if (told != null) offered.keepOnly(name, device, told, answer?.header?.invoke("etag") ?: known?.etag)
        val offerings = if (told != null) Offerings.of(told, 0) else known?.let { Offerings.of(it.answer, it.ageMs) }
        guarded { listener.onAnswer(offerings) }
    }

    /**
     * Hands a purchase of Google Play over by its token: the service asks Google about it and acknowledges
     * it. Answers with what the purchase entitles to, or null after a failure; `queryPurchasesAsync` lists the
     * purchase again at the next start. `offering`: the one in which it was bought.
     */
    @JvmOverloads
    fun handOver(
        who: Who,
        purchaseToken: String,
        offering: String? = null,
        listener: EntitlementListener,
    ) = ask.thread.execute {
        val told = mapOf(
            "store" to "google_play",
            "purchaseToken" to purchaseToken,
            "userId" to who.userId,
            "anonymousId" to who.anonymousId,
            "offering" to offering,
        ).filterValues { it != null }
        val headers = mapOf("content-type" to "application/json")
        val answer = send("POST", "/v1/purchases/verify", headers, Json.write(told), ::isEntitlement)
        guarded { listener.onAnswer(answer?.let { Json.parsed(it.body) }?.let { entitlement(it, 0) }) }
    }

    /** Forgets what is kept; call it beside `reset()`. */
    fun forget() = ask.thread.execute {
        entitlements.forget()
        offered.forget()
    }

    private fun kept(name: String) = Kept(options.directory?.let { File(it, name) }, options.longestAgeMs)

    private fun queryOf(query: Map<String, String?>): String = query
        .mapNotNull { (field, value) -> value?.let { "$field=${URLEncoder.encode(it, "UTF-8")}" } }
        .joinToString("&")

    /** An answer that is one, or that nothing has changed; null after saying why there is none. */
    private fun get(
        path: String,
        query: Map<String, String?>,
        etag: String?,
        isAnswer: (Map<String, Any?>?) -> Boolean,
    ): HttpAnswer? {
        val headers = if (etag == null) emptyMap() else mapOf("if-none-match" to etag)
        return send("GET", "$path?${queryOf(query)}", headers, null, isAnswer)
    }

    private fun send(
        method: String,
        path: String,
        headers: Map<String, String>,
        body: String?,
        isAnswer: (Map<String, Any?>?) -> Boolean,
    ): HttpAnswer? {
        val fault = faultOf(options.key, options.url)
        if (fault != null) {
            ask.failed(fault)
            return null
        }
        val all = headers + ("x-service-key" to options.key.trim())
        val answer = ask.send(method, "${baseOf(options.url)}$path", all, body) ?: return null
        if ("if-none-match" in headers && answer.status == 304) return answer
        if (answer.status == 200 && isAnswer(Json.parsed(answer.body))) return answer
        ask.failed(answer)
        return null
    }

    /** A captive portal's page has none of these. */
    private fun isEntitlement(told: Map<String, Any?>?) =
        told?.get("entitled") is Boolean && told.textAt("status") != null

    private fun entitlement(answer: Map<String, Any?>, ageMs: Long) = Entitlement(
        answer["entitled"] == true,
        answer.textAt("status").orEmpty(),
        answer.textAt("productId"),
        answer.textAt("expiresAt"),
        ageMs,
    )
}
