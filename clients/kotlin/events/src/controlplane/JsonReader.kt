package controlplane

private const val DEEPEST = 64
private val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")

/** Reads one JSON text. */
internal class JsonReader(private val text: String) {
    private var at = 0
    private var depth = 0

    fun read(): Any? {
        val value = value()
        blanks()
        if (at < text.length) fail()
        return value
    }

    private fun fail(): Nothing = throw Json.Malformed("no JSON at $at")

    private fun blanks() {
        while (at < text.length && text[at] in " \t\r\n") at += 1
    }

    private fun takes(char: Char): Boolean {
        blanks()
        if (at >= text.length || text[at] != char) return false
        at += 1
        return true
    }

    private fun value(): Any? {
        blanks()
        if (at >= text.length) fail()
        return when (text[at]) {
            '{' -> nested { members() }
            '[' -> nested { elements() }
            '"' -> string()
            't' -> word("true", true)
            'f' -> word("false", false)
            'n' -> word("null", null)
            else -> number()
        }
    }

    private fun <T> nested(read: () -> T): T {
        depth += 1
        if (depth > DEEPEST) fail()
        at += 1
        return read().also { depth -= 1 }
    }

    private fun members(): Map<String, Any?> {
        val members = LinkedHashMap<String, Any?>()
        if (takes('}')) return members
        while (true) {
            blanks()
            if (at >= text.length || text[at] != '"') fail()
            val name = string()
            if (!takes(':')) fail()
            members[name] = value()
            if (takes('}')) return members
            if (!takes(',')) fail()
        }
    }

    private fun elements(): List<Any?> {
        val elements = ArrayList<Any?>()
        if (takes(']')) return elements
        while (true) {
            elements.add(value())
            if (takes(']')) return elements
            if (!takes(',')) fail()
        }
    }

    private fun word(word: String, value: Any?): Any? {
        if (!text.startsWith(word, at)) fail()
        at += word.length
        return value
    }

    private fun number(): Number {
        var end = at
        while (end < text.length && (text[end].isLetterOrDigit() || text[end] in "+-.")) end += 1
        val digits = text.substring(at, end)
        if (!NUMBER.matches(digits)) fail()
        at = end
        return digits.toLongOrNull() ?: digits.toDouble()
    }

    private fun string(): String {
        val read = StringBuilder()
        at += 1
        while (at < text.length) {
            val char = text[at]
            at += 1
            when {
                char == '"' -> return read.toString()
                char == '\\' -> read.append(escaped())
                char < ' ' -> fail()
                else -> read.append(char)
            }
        }
        fail()
    }

    private fun escaped(): Char {
        if (at >= text.length) fail()
        val char = text[at]
        at += 1
        return when (char) {
            '"', '\\', '/' -> char
            'b' -> '\b'
            'f' -> '\u000c'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> unicode()
            else -> fail()
        }
    }

    private fun unicode(): Char {
        if (at + 4 > text.length) fail()
        val digits = text.substring(at, at + 4)
        if (digits.any { Character.digit(it, 16) < 0 }) fail()
        at += 4
        return digits.toInt(16).toChar()
    }
}
