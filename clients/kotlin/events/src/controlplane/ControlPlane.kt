package controlplane

/**
 * The client that most apps need: one for the whole app.
 *
 *     ControlPlane.start(Options("svp_…", "https://events.example.com"))
 *     ControlPlane.track("app_opened")
 *
 * What is tracked before `start` is dropped.
 */
object ControlPlane {
    @JvmField
    val shared = EventClient()

    @JvmStatic
    fun start(options: Options) = shared.start(options)

    @JvmStatic
    @JvmOverloads
    fun track(name: String, props: Map<String, Any?> = emptyMap()) = shared.track(name, props)

    @JvmStatic
    fun screen(name: String) = shared.screen(name)

    @JvmStatic
    fun identify(userId: String?) = shared.identify(userId)

    @JvmStatic
    val anonymousId: String? get() = shared.anonymousId

    @JvmStatic
    fun reset() = shared.reset()

    @JvmStatic
    @JvmOverloads
    fun flush(done: Runnable = Runnable {}) = shared.flush(done)

    @JvmStatic
    fun optOut() = shared.optOut()

    @JvmStatic
    fun optIn() = shared.optIn()
}
