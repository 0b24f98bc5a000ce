package controlplane.flags

/** Doubles hold every whole number below. */
private const val EXACT = 9_007_199_254_740_992.0

/** A number with a fraction is none. */
internal fun wholeOf(value: Any?): Long? = when (value) {
    is Long, is Int, is Short, is Byte -> (value as Number).toLong()
    is Double -> if (value == Math.rint(value) && Math.abs(value) < EXACT) value.toLong() else null
    is Float -> wholeOf(value.toDouble())
    else -> null
}

@Suppress("UNCHECKED_CAST")
internal fun objectOf(value: Any?): Map<String, Any?>? = value as? Map<String, Any?>
