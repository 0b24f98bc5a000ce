package controlplane

import java.io.File

private const val QUEUE_LIMIT = 500

/** Bytes of events done with after which the files are written anew. */
private const val WASTE_LIMIT = 512 * 1024
private const val FILE_LIMIT = 8

/** The events that wait, in memory and on the disk. */
internal class Queue(private val lock: Any, private val report: (ClientError) -> Unit) : Waiting {
    private var entries = ArrayList<Entry>()
    private var segments: Segments? = null
    private var waste = 0

    /** Files of earlier launches that `load` has yet to read. */
    private var unreadFiles = 0
    private var isBacklogUnwanted = false

    override val count: Int get() = synchronized(lock) { entries.size }

    /** Zero only when nothing waits: a file that was not read yet counts as one event. */
    val countWithUnread: Int get() = synchronized(lock) { entries.size + unreadFiles }

    val isOnDisk: Boolean get() = synchronized(lock) { segments != null }

    fun open(directory: File?) {
        segments = directory?.let { Segments.at(it) }
        unreadFiles = segments?.olderFiles ?: 0
    }

    /** Whether it outlives the process, where anything does. */
    fun append(entry: Entry): Boolean {
        entries.add(entry)
        return segments?.append(entry.json) ?: true
    }

    fun forgetAll() {
        entries = ArrayList()
        unreadFiles = 0
        isBacklogUnwanted = true
    }

    fun clearDisk() = synchronized(lock) { segments?.clear() }

    /** Puts what earlier launches left first, unless `forgetAll` came before. */
    fun load() {
        val backlog = synchronized(lock) { segments }?.backlog().orEmpty()
        synchronized(lock) {
            unreadFiles = 0
            if (isBacklogUnwanted) return
            entries = ArrayList(backlog + entries)
            waste += backlog.sumOf { it.json.size }
        }
    }

    /** A launch leaves a file; a month of launches without network must not leave hundreds. */
    fun tidy() {
        if ((synchronized(lock) { segments }?.olderFiles ?: 0) > FILE_LIMIT) compact()
    }

    override fun head(count: Int, bytes: Int): List<Entry> = synchronized(lock) {
        var size = 0
        val batch = ArrayList<Entry>()
        for (entry in entries.take(count)) {
            size += entry.json.size + 1
            if (batch.isNotEmpty() && size > bytes) break
            batch.add(entry)
        }
        batch
    }

    override fun remove(sent: List<Entry>) = forget(sent.mapTo(HashSet()) { it.id })

    fun trim() {
        val dropped = synchronized(lock) { entries.take(maxOf(entries.size - QUEUE_LIMIT, 0)) }
        if (dropped.isEmpty()) return
        remove(dropped)
        repeat(dropped.size) {
            report(ClientError(ClientError.Code.QUEUE_FULL, "The queue is full; the oldest event was dropped."))
        }
    }

    private fun forget(ids: Set<String>) {
        val isWasteful = synchronized(lock) {
            val (gone, left) = entries.partition { it.id in ids }
            entries = ArrayList(left)
            waste += gone.sumOf { it.json.size }
            if (left.isEmpty()) {
                segments?.clear()
                waste = 0
            } else {
                segments?.appendDone(gone.map { it.id })
            }
            waste > WASTE_LIMIT
        }
        if (isWasteful) compact()
    }

    private fun compact() {
        val plan = synchronized(lock) {
            waste = 0
            val opened = segments
            opened?.rotate()?.let { number -> Triple(opened, entries.toList(), number) }
        } ?: return
        plan.first.compact(plan.second, plan.third)
    }
}

/** Texts cut at 500 code points, numbers that are not finite as 0; `leaveOut` hears of what is no scalar. */
internal fun cleaned(props: Map<String, Any?>, leaveOut: (String) -> Unit): Map<String, Any?> {
    val clean = LinkedHashMap<String, Any?>()
    for ((name, value) in props) {
        when (value) {
            null, is Number, is Boolean -> clean[name.cut(500)] = value
            is CharSequence, is Char -> clean[name.cut(500)] = value.toString().cut(500)
            else -> leaveOut(name)
        }
    }
    return clean
}
