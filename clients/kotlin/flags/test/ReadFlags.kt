package controlplane.flags

import controlplane.FaultListener
import java.io.File
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger

/** A line of the input is a call, a line of the output what it gave: all in one process. */
object ReadFlags {
    private lateinit var flags: Flags
    private val changes = AtomicInteger()

    @JvmStatic
    fun main(arguments: Array<String>) = generateSequence(::readLine).forEach { println(answer(it.split(" "))) }

    private fun answer(words: List<String>): Any? = when (words[0]) {
        "open" -> open(words)
        "boolean" -> flags.flag(words[1], words[2].toBoolean())
        "text" -> flags.flag(words[1], words[2])
        "int" -> flags.flag(words[1], words[2].toInt())
        "long" -> flags.flag(words[1], words[2].toLong())
        "double" -> flags.flag(words[1], words[2].toDouble())
        "map" -> flags.flag(words[1], mapOf("mine" to true))
        "changes" -> changes.getAndSet(0)
        "ready" -> awaited { flags.ready { it(true) } }
        "refresh" -> awaited { flags.refresh(it) }
        "use" -> awaited { flags.use(words[1], mapOf("plan" to words[2]), it) }
        else -> error(words)
    }

    private fun open(words: List<String>): String {
        val faults = ArrayList<String>()
        val options = FlagOptions(words[1], words[2], words[4])
        options.directory = File(words[3])
        options.refreshMs = 0
        options.context = mapOf("platform" to "android")
        options.defaults = mapOf("old" to "x", "oldSize" to 7)
        options.onError = FaultListener { faults += it }
        flags = Flags(options)
        flags.onChange { changes.incrementAndGet() }
        awaited { flags.ready { it(true) } }
        return "$faults"
    }

    private operator fun AnsweredListener.invoke(isAnswered: Boolean) = onAnswered(isAnswered)

    private fun awaited(call: (AnsweredListener) -> Unit): Boolean {
        val latch = CountDownLatch(1)
        var told = false
        call {
            told = it
            latch.countDown()
        }
        latch.await()
        return told
    }
}
