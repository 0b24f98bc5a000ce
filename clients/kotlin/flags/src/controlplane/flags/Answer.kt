package controlplane.flags

import controlplane.Json
import controlplane.objectAt
import controlplane.objectsAt
import controlplane.textAt

/** The last answer, and whose it is. */
internal class Answer(
    val person: String,
    val values: Map<String, Any?>,
    /** Flags that running experiments decide. */
    val arms: Set<String>,
    val etag: String?,
) {
    fun kept(): Map<String, Any?> =
        mapOf("person" to person, "values" to values, "arms" to arms, "etag" to etag)

    companion object {
        /** Null for a body that is no answer: a proxy's page, or nothing. */
        fun of(person: String, body: String, etag: String?): Answer? {
            val told = Json.parsed(body)?.takeIf { it["flags"] is List<*> } ?: return null
            val flags = told.objectsAt("flags").filter { it.textAt("key") != null && "value" in it }
            val arms = flags.filter { it.objectAt("metadata")?.get("experiment") != null }
            return Answer(
                person,
                flags.associate { it.textAt("key").orEmpty() to it["value"] },
                arms.mapNotNullTo(HashSet()) { it.textAt("key") },
                etag,
            )
        }

        /** What an earlier launch kept for this person. */
        fun kept(kept: Map<String, Any?>?, person: String?): Answer? {
            if (kept == null || person == null || kept.textAt("person") != person) return null
            val values = kept.objectAt("values") ?: return null
            val arms = (kept["arms"] as? List<*>).orEmpty().filterIsInstance<String>().toSet()
            return Answer(person, values, arms, kept.textAt("etag"))
        }
    }
}
