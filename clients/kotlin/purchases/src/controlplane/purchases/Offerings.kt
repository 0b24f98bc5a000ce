package controlplane.purchases

import controlplane.objectAt
import controlplane.objectsAt
import controlplane.textAt

/** One thing to buy: products that are the same in different stores or lengths. */
class OfferingPackage internal constructor(
    val identifier: String,
    val productIds: List<String>,
    /** JSON of the app's own: maps, lists, texts, booleans, `Long` and `Double`. */
    val metadata: Any?,
)

/** What a paywall shows. */
class Offering internal constructor(
    val identifier: String,
    val name: String,
    val packages: List<OfferingPackage>,
    /** As that of a package. */
    val metadata: Any?,
)

/** The flag that chose the current offering. */
class Choice internal constructor(val flag: String, val variant: String, val reason: String)

class Offerings internal constructor(
    /** The one to show; null where the app has none. */
    val current: Offering?,
    val all: List<Offering>,
    /** Null for the default. */
    val chosenBy: Choice?,
    /** Milliseconds since the service said so; 0 for an answer of now. */
    val ageMs: Long,
) {
    internal companion object {
        /** Null for what is no answer of the service. */
        fun of(told: Map<String, Any?>?, ageMs: Long): Offerings? {
            if (told == null || told["offerings"] !is List<*> || "current" !in told) return null
            val all = told.objectsAt("offerings").map(::offering)
            val chosen = told.objectAt("chosenBy")
            return Offerings(
                all.find { it.identifier == told["current"] },
                all,
                chosen?.let { Choice(it.text("flag"), it.text("variant"), it.text("reason")) },
                ageMs,
            )
        }

        private fun offering(told: Map<String, Any?>) = Offering(
            told.text("identifier"),
            told.text("name"),
            told.objectsAt("packages").map {
                val products = (it["productIds"] as? List<*>).orEmpty().filterIsInstance<String>()
                OfferingPackage(it.text("identifier"), products, it["metadata"])
            },
            told["metadata"],
        )

        private fun Map<String, Any?>.text(name: String) = textAt(name).orEmpty()
    }
}

fun interface OfferingsListener {
    /** Called on a background thread; null where nothing is known. */
    fun onAnswer(offerings: Offerings?)
}
