package controlplane

/** How the scripted server answers one request. */
internal sealed interface ScriptedAnswer {
    class Answer(val status: Int, val retryAfter: String?, val body: String?) : ScriptedAnswer
    object Cut : ScriptedAnswer
    object Hold : ScriptedAnswer
}

internal class SentRequest(val request: BatchRequest) {
    val body = checkNotNull(Json.parsed(String(request.body))) { "the body of a batch is no JSON" }
    val events = body.objectsAt("events")
}

/** What surrounds a client: server, clock and timers, all of them scripted. */
internal class World : Environment {
    private class Timer(val at: Long, val work: () -> Unit)

    var randomNumber = 1.0
    var answers = ArrayDeque<ScriptedAnswer>()
    var repeated: ScriptedAnswer? = null
    val requests = ArrayList<SentRequest>()
    val lines = ArrayList<String>()
    val warnings = ArrayList<String>()
    private var wall = 1_772_366_400_000L // 2026-03-01T12:00:00Z
    private var elapsed = 0L
    private var timers = ArrayList<Timer>()
    private var held = ArrayList<(Outcome) -> Unit>()
    private val waiting = ArrayDeque<() -> Unit>()
    private var isRunning = false
    private var isStalled = false
    private var count = 0

    override fun now() = wall
    override fun random() = randomNumber
    override fun log(line: String) {
        lines.add(line)
    }

    override fun warn(line: String) {
        warnings.add(line)
    }

    override fun newId(): String {
        count += 1
        return "00000000-0000-4000-8000-" + "$count".padStart(12, '0')
    }

    override fun run(work: () -> Unit) {
        waiting.add(work)
        if (isRunning || isStalled) return
        isRunning = true
        while (waiting.isNotEmpty()) waiting.removeFirst()()
        isRunning = false
    }

    override fun runAfter(milliseconds: Long, work: () -> Unit): Cancel {
        val timer = Timer(elapsed + milliseconds, work)
        timers.add(timer)
        return { timers.remove(timer) }
    }

    override fun post(request: BatchRequest, done: (Outcome) -> Unit): Cancel {
        requests.add(SentRequest(request))
        val answer = answers.removeFirstOrNull() ?: repeated ?: ScriptedAnswer.Answer(202, null, null)
        when (answer) {
            is ScriptedAnswer.Hold -> held.add(done)
            is ScriptedAnswer.Cut -> run { done(Outcome(0, failure = "The connection was lost.")) }
            is ScriptedAnswer.Answer -> {
                val outcome = Outcome(answer.status, answer.retryAfter, ServerReason.of(answer.body))
                run { done(outcome) }
            }
        }
        return {}
    }

    /** The client's thread waits for a slow disk. */
    fun stall() {
        isStalled = true
    }

    fun resume() {
        isStalled = false
        run {}
    }

    fun release() {
        val released = held
        held = ArrayList()
        for (done in released) run { done(Outcome(202)) }
    }

    fun kill() {
        timers = ArrayList()
        held = ArrayList()
    }

    fun jump(milliseconds: Long) {
        wall += milliseconds
    }

    fun advance(milliseconds: Long) {
        val end = elapsed + milliseconds
        while (true) {
            val next = timers.filter { it.at <= end }.minByOrNull { it.at } ?: break
            move(maxOf(next.at, elapsed))
            timers.remove(next)
            run(next.work)
        }
        move(end)
    }

    private fun move(to: Long) {
        wall += to - elapsed
        elapsed = to
    }
}
