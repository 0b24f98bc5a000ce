package controlplane

/** What went wrong, for logs; the client has already dealt with it. */
class ClientError internal constructor(
    val code: Code,
    val message: String,
    /** HTTP status of the answer, when there was one. */
    val status: Int? = null,
    /** What the service said of it, in its own words. */
    val server: ServerReason? = null,
) {
    enum class Code(val text: String) {
        INVALID_OPTIONS("invalid_options"),
        INVALID_NAME("invalid_name"),
        INVALID_PROPERTY("invalid_property"),
        INVALID_USER_ID("invalid_user_id"),
        EVENT_TOO_LARGE("event_too_large"),
        QUEUE_FULL("queue_full"),
        STORAGE_UNAVAILABLE("storage_unavailable"),
        BATCH_DROPPED("batch_dropped"),
        NOT_DELIVERED("not_delivered"),
    }

    override fun toString(): String = (listOf(code.text, message) + server?.words.orEmpty()).joinToString(" ")
}

/** Called on a background thread. */
fun interface ErrorListener {
    fun onError(error: ClientError)
}

/** Why the service did not take a batch, as its answer says. */
class ServerReason internal constructor(
    val code: String,
    val message: String,
    /** What can be done about it. */
    val hint: String?,
) {
    internal val words: List<String> get() = listOfNotNull(code, message, hint)

    internal companion object {
        /** Null when the body is no error of the service: a proxy's page, or nothing. */
        fun of(body: String?): ServerReason? {
            val error = Json.parsed(body)?.objectAt("error") ?: return null
            val code = error.textAt("code").orEmpty()
            val message = error.textAt("message").orEmpty()
            if (code.isEmpty() || message.isEmpty()) return null
            val hint = error.textAt("hint")?.takeIf { it.isNotEmpty() }
            return ServerReason(code.cut(500), message.cut(500), hint?.cut(500))
        }
    }
}
