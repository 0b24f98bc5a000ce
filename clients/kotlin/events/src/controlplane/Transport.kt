package controlplane

import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL
import java.util.concurrent.Executor

private const val TIMEOUT_MS = 30_000
private const val ANSWER_LIMIT = 256 * 1024

/** Posts batches one after the other: no cookies, no cache, no redirects. */
internal class Transport(private val executor: Executor) {
    fun post(request: BatchRequest, done: (Outcome) -> Unit): Cancel {
        val call = HttpCall(request.endpoint, TIMEOUT_MS)
        executor.execute { done(send(call, request)) }
        return { call.cancel() }
    }

    private fun send(call: HttpCall, request: BatchRequest): Outcome = try {
        val answer = call.send("POST", mapOf("x-service-key" to request.key), request.body)
        val server = if (answer.status < 400) null else ServerReason.of(answer.body)
        Outcome(answer.status, answer.header("retry-after"), server)
    } catch (failed: IOException) {
        Outcome(0, failure = failed.toString().cut(500))
    }
}

internal class HttpAnswer(val status: Int, val body: String, val header: (String) -> String?)

/** One request by what Android and the JVM have both. */
internal class HttpCall(private val address: String, private val timeoutMs: Int) {
    @Volatile
    private var connection: HttpURLConnection? = null

    @Volatile
    private var isCancelled = false

    @Throws(IOException::class)
    fun send(method: String, headers: Map<String, String>, body: ByteArray?): HttpAnswer {
        val opened = URL(address).openConnection() as? HttpURLConnection ?: throw IOException("no HTTP: $address")
        connection = opened
        if (isCancelled) throw IOException("cancelled")
        try {
            opened.requestMethod = method
            opened.connectTimeout = timeoutMs
            opened.readTimeout = timeoutMs
            opened.useCaches = false
            // A captive portal redirects; its page must not count as delivery.
            opened.instanceFollowRedirects = false
            headers.forEach(opened::setRequestProperty)
            if (body != null) write(opened, body)
            val status = opened.responseCode
            if (status < 0) throw IOException("no HTTP answer")
            return HttpAnswer(status, text(if (status < 400) opened.inputStream else opened.errorStream), opened::getHeaderField)
        } catch (failed: RuntimeException) {
            // What the platform's stack throws where it should not, as for a permission that is missing.
            throw IOException(failed.toString(), failed)
        }
    }

    fun cancel() {
        isCancelled = true
        connection?.disconnect()
    }

    private fun write(opened: HttpURLConnection, body: ByteArray) {
        opened.doOutput = true
        opened.setRequestProperty("content-type", "application/json")
        opened.setFixedLengthStreamingMode(body.size)
        opened.outputStream.use { it.write(body) }
    }

    /** To its end, so that the connection can be used again; what is too long is none of the service's. */
    private fun text(stream: InputStream?): String = stream?.use {
        val bytes = java.io.ByteArrayOutputStream()
        val part = ByteArray(8192)
        while (bytes.size() <= ANSWER_LIMIT) {
            val count = it.read(part)
            if (count < 0) break
            bytes.write(part, 0, count)
        }
        bytes.toString("UTF-8")
    }.orEmpty()
}
