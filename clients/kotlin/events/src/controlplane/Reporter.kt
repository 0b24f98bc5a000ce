package controlplane

import java.util.EnumSet

/** Tells the app what went wrong. What nobody listens for and a developer can mend is said once, with
 * `debug` each time. */
internal class Reporter(options: Options, private val environment: Environment) {
    private val onError = options.onError
    private val debug = options.debug
    private val said = EnumSet.of(ClientError.Code.STORAGE_UNAVAILABLE, ClientError.Code.QUEUE_FULL)

    fun report(error: ClientError) {
        // Under `debug` the line of a batch says it already.
        val isSaid = if (debug) error.status == null else onError == null && said.add(error.code)
        if (isSaid) environment.warn("control-plane: $error")
        onError?.onError(error)
    }
}
