package controlplane

/** JSON without a dependency: objects are maps, lists are lists, numbers are `Long` or `Double`. */
internal object Json {
    class Malformed(message: String) : RuntimeException(message)

    fun write(value: Any?): String = StringBuilder().also { append(it, value) }.toString()

    /** Null where the text is no JSON object. */
    @Suppress("UNCHECKED_CAST")
    fun parsed(text: String?): Map<String, Any?>? = try {
        text?.let { JsonReader(it).read() } as? Map<String, Any?>
    } catch (_: Malformed) {
        null
    }

    private fun append(to: StringBuilder, value: Any?) {
        when (value) {
            null -> to.append("null")
            is CharSequence -> quote(to, value)
            is Boolean -> to.append(value)
            is Number -> to.append(number(value))
            is Map<*, *> -> join(to, '{', '}', value.entries) { (name, each) ->
                quote(to, name.toString())
                to.append(':')
                append(to, each)
            }
            is Iterable<*> -> join(to, '[', ']', value) { append(to, it) }
            else -> quote(to, value.toString())
        }
    }

    private fun <T> join(to: StringBuilder, open: Char, close: Char, all: Iterable<T>, each: (T) -> Unit) {
        to.append(open)
        all.forEachIndexed { index, one ->
            if (index > 0) to.append(',')
            each(one)
        }
        to.append(close)
    }

    private fun number(value: Number): String {
        if (value is Long || value is Int || value is Short || value is Byte) return value.toString()
        val double = value.toDouble()
        if (!double.isFinite()) return "0"
        if (double == Math.rint(double) && Math.abs(double) < 1e15) return double.toLong().toString()
        return if (value is Float) value.toString() else double.toString()
    }

    private fun quote(to: StringBuilder, text: CharSequence) {
        to.append('"')
        for (char in text) {
            when {
                char == '"' || char == '\\' -> to.append('\\').append(char)
                char < ' ' -> to.append("\\u").append(char.code.toString(16).padStart(4, '0'))
                else -> to.append(char)
            }
        }
        to.append('"')
    }
}

internal fun Map<String, Any?>.textAt(name: String): String? = this[name] as? String

internal fun Map<String, Any?>.longAt(name: String): Long? = (this[name] as? Number)?.toLong()

@Suppress("UNCHECKED_CAST")
internal fun Map<String, Any?>.objectAt(name: String): Map<String, Any?>? = this[name] as? Map<String, Any?>

@Suppress("UNCHECKED_CAST")
internal fun Map<String, Any?>.objectsAt(name: String): List<Map<String, Any?>> =
    (this[name] as? List<*>).orEmpty().mapNotNull { it as? Map<String, Any?> }
