package controlplane

import java.io.File
import java.io.IOException

fun interface FaultListener {
    /** Why there is no answer. Called on a background thread. */
    fun onFault(message: String)
}

/** What modules that ask the service have in common: a thread, and a listener for what went wrong. */
internal class Ask(name: String, private val timeoutMs: Int, private val listener: FaultListener?) {
    val thread by lazy { executor(name) }

    /** On the thread; null after saying why there is no answer. */
    fun send(method: String, address: String, headers: Map<String, String>, body: String? = null): HttpAnswer? = try {
        HttpCall(address, timeoutMs).send(method, headers, body?.toByteArray())
    } catch (failed: IOException) {
        failed("$failed")
        null
    }

    fun failed(answer: HttpAnswer) = failed("${answer.status} ${answer.body.take(500)}")

    fun failed(message: String) = guarded { listener?.onFault(message) }
}

/** The app's own listener fails; the client must go on. */
internal fun guarded(work: () -> Unit) = try {
    work()
} catch (failed: Exception) {
    println("control-plane: $failed")
}

/** A JSON object in a file, if there is one that can be read. */
internal fun readObject(file: File?): Map<String, Any?>? = try {
    file?.takeIf { it.exists() }?.let { Json.parsed(it.readText()) }
} catch (_: IOException) {
    null
}

/** As far as it can be kept. */
internal fun writeObject(file: File?, value: Map<String, Any?>) {
    val folder = file?.parentFile ?: return
    if (folder.isDirectory || folder.mkdirs()) replace(file, Json.write(value).toByteArray())
}
