package controlplane.purchases

import controlplane.longAt
import controlplane.objectAt
import controlplane.readObject
import controlplane.textAt
import controlplane.writeObject
import java.io.File

/** Answers by name, each with whose it is and since when. Reached on one thread only. */
internal class Kept(private val file: File?, private val longestAgeMs: Long) {
    class Found(val answer: Map<String, Any?>, val etag: String?, val ageMs: Long)

    private val answers: MutableMap<String, Any?> by lazy { readObject(file).orEmpty().toMutableMap() }

    /** The answer for this person, if it is not too old. */
    fun find(name: String, who: Who): Found? {
        val last = answers.objectAt(name) ?: return null
        val answer = last.objectAt("answer") ?: return null
        val at = last.longAt("at") ?: return null
        // An answer from the future is one of a clock that was set back since.
        val ageMs = maxOf(System.currentTimeMillis() - at, 0)
        val isMine = who.isSame(Who(last.textAt("userId"), last.textAt("anonymousId")))
        return if (isMine && ageMs <= longestAgeMs) Found(answer, last.textAt("etag"), ageMs) else null
    }

    fun keep(name: String, who: Who, answer: Map<String, Any?>, etag: String? = null) {
        answers[name] = mapOf(
            "userId" to who.userId,
            "anonymousId" to who.anonymousId,
            "at" to System.currentTimeMillis(),
            "etag" to etag,
            "answer" to answer,
        )
        writeObject(file, answers)
    }

    /** In place of all that is kept. */
    fun keepOnly(name: String, who: Who, answer: Map<String, Any?>, etag: String?) {
        answers.clear()
        keep(name, who, answer, etag)
    }

    fun forget() {
        answers.clear()
        file?.delete()
    }
}
