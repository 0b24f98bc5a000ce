package controlplane

private const val SESSION_GAP = 30 * 60_000L
private const val SESSION_LIMIT = 24 * 60 * 60_000L

/** Who is acting. Kept in a small file of its own. */
internal data class Identity(
    val anonymousId: String = "",
    val userId: String? = null,
    val session: Session? = null,
    val optedOut: Boolean = false,
) {
    /** Times are milliseconds since 1970. */
    data class Session(val id: String, val started: Long, val last: Long)

    val isUsable: Boolean get() = optedOut || anonymousId.codePointCount(0, anonymousId.length) in 8..128

    /** With the session of something that happens now. */
    fun touched(now: Long, newId: () -> String): Identity {
        // A clock set back must neither end a session nor let it outlive its day.
        val known = session?.let { it.copy(started = minOf(it.started, now)) }
        val goesOn = known != null && now - known.last <= SESSION_GAP && now - known.started <= SESSION_LIMIT
        return copy(session = if (goesOn) known?.copy(last = now) else Session(newId(), now, now))
    }

    fun toJson(): String = Json.write(
        mapOf(
            "anonymousId" to anonymousId,
            "userId" to userId,
            "session" to session?.let { mapOf("id" to it.id, "started" to it.started, "last" to it.last) },
            "optedOut" to optedOut,
        ),
    )

    companion object {
        /** Null where the text is no identity. */
        fun of(text: String): Identity? {
            val fields = Json.parsed(text) ?: return null
            val session = fields.objectAt("session")?.let {
                val id = it.textAt("id")
                val started = it.longAt("started")
                val last = it.longAt("last")
                if (id == null || started == null || last == null) null else Session(id, started, last)
            }
            val identity = Identity(
                fields.textAt("anonymousId").orEmpty(),
                fields.textAt("userId"),
                session,
                fields["optedOut"] == true,
            )
            return identity.takeIf { it.isUsable }
        }
    }
}
