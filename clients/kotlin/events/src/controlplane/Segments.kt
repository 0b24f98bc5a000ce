package controlplane

import java.io.File
import java.io.FileOutputStream
import java.io.IOException

/** An unsent event: its id, and its JSON as it was tracked. */
internal class Entry(val id: String, val name: String, val json: ByteArray)

/**
 * The queue on disk: files `<n>.events`, each line an event, or `!` and the ids that are done with.
 * Only the newest is appended to, and only by this process; a line cut short by a crash is skipped.
 */
internal class Segments private constructor(private val directory: File) {
    private var active = (numbers().lastOrNull() ?: 0) + 1
    private var stream = FileOutputStream(file(active), true)

    /** The last line is not whole: the disk was full. */
    private var isTorn = false

    private fun file(number: Int) = File(directory, "$number.events")

    private fun numbers(): List<Int> = directory.list().orEmpty()
        .mapNotNull { if (it.endsWith(".events")) it.removeSuffix(".events").toIntOrNull() else null }.sorted()

    private fun older(than: Int): List<File> = numbers().filter { it < than }.map(::file)

    /** Files of earlier launches that are still there. */
    val olderFiles: Int get() = older(active).size

    /** One write to the open file and no sync: it survives a killed process. */
    fun append(line: ByteArray): Boolean {
        val start = if (isTorn) byteArrayOf(NEWLINE) else byteArrayOf()
        isTorn = try {
            stream.write(start + line + NEWLINE)
            false
        } catch (_: IOException) {
            true
        }
        return !isTorn
    }

    fun appendDone(ids: List<String>) {
        append(("!" + ids.joinToString(" ")).toByteArray())
    }

    /** What earlier processes left, oldest first and each event once. */
    fun backlog(): List<Entry> {
        val entries = ArrayList<Entry>()
        val done = HashSet<String>()
        for (file in older(active)) {
            for (line in lines(file)) {
                if (line.startsWith("!")) done.addAll(line.drop(1).split(' ')) else entry(line)?.let(entries::add)
            }
        }
        return entries.filter { done.add(it.id) }
    }

    private fun lines(file: File): List<String> = try {
        file.readText().split('\n').filter { it.isNotEmpty() }
    } catch (_: IOException) {
        emptyList()
    }

    private fun entry(line: String): Entry? {
        val fields = Json.parsed(line) ?: return null
        val id = fields.textAt("id")
        val name = fields.textAt("name")
        if (id == null || name == null || fields.textAt("anonymousId") == null) return null
        return Entry(id, name, line.toByteArray())
    }

    /** Nothing is unsent any more. */
    fun clear() {
        try {
            stream.channel.truncate(0)
        } catch (_: IOException) {
            // The ids stay, and the service knows them.
        }
        removeOlder(active)
    }

    /** Goes on in a new file, leaving a number free for what `compact` writes; the number left free. */
    fun rotate(): Int? = try {
        val next = FileOutputStream(file(active + 2), true)
        active += 2
        stream.close()
        stream = next
        isTorn = false
        active - 1
    } catch (_: IOException) {
        null
    }

    /**
     * Replaces every file before `number` by one with these entries. A crash in between leaves events
     * twice on disk, which `backlog` notices.
     */
    fun compact(entries: List<Entry>, number: Int) {
        val bytes = java.io.ByteArrayOutputStream()
        for (entry in entries) {
            bytes.write(entry.json)
            bytes.write(NEWLINE.toInt())
        }
        if (replace(file(number), bytes.toByteArray())) removeOlder(number)
    }

    // Ascending: what says that an event is done with goes after the event.
    private fun removeOlder(limit: Int) = older(limit).forEach { it.delete() }

    companion object {
        private const val NEWLINE: Byte = 10

        /** Null when nothing can be written there. */
        fun at(directory: File): Segments? = try {
            Segments(directory)
        } catch (_: IOException) {
            null
        }
    }
}
