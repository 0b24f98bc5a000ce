package controlplane

import java.io.File

private typealias Fields = Map<String, Any?>

internal fun fieldsOf(value: Any?): Fields = Json.parsed(Json.write(value)) ?: emptyMap()

/** Replaces `$repeat`, `$join`, `$number` and `$many` by what they stand for. */
internal fun expand(value: Any?): Any? {
    if (value is List<*>) return value.map(::expand)
    if (value !is Map<*, *>) return value
    val name = value.keys.singleOrNull()
    val given = value[name]
    return when (name) {
        "\$repeat" -> (given as List<*>).let { (text, count) -> "$text".repeat((count as Long).toInt()) }
        "\$join" -> (given as List<*>).joinToString("") { "${expand(it)}" }
        "\$number" -> "$given".toDouble()
        "\$many" -> (given as List<*>).let { (count, each) -> (0 until count as Long).associate { "p$it" to expand(each) } }
        else -> value.mapValues { expand(it.value) }
    }
}

/** Runs the steps of one case of `clients/behaviour` against a client. */
internal class TableCase(private val definition: Fields, private val directory: File) {
    private val world = World()
    private var client = EventClient(world)
    private val errors = ArrayList<ClientError>()
    private val messages = ArrayList<String>()
    private val reasons = ArrayList<ServerReason?>()
    private val names = HashMap<String, String>()
    private var seen = 0
    private val label = "${definition["name"]}"

    fun run() {
        world.randomNumber = (definition["random"] as? Number)?.toDouble() ?: 1.0
        perform(definition.objectsAt("steps"))
    }

    private fun perform(steps: List<Fields>) {
        for (step in steps) {
            val count = step.longAt("repeat")
            if (count != null) repeat(count.toInt()) { perform(step.objectsAt("steps")) } else act(step)
        }
    }

    private fun act(step: Fields) {
        val action = step.keys.first()
        val input = expand(step[action])
        when (action) {
            "start" -> start(step.objectAt(action)?.mapValues { expand(it.value) }.orEmpty())
            "track" -> {
                val props = step.objectAt("props")?.let { props -> (expand(props) as Map<*, *>).mapKeys { "${it.key}" } }
                repeat((step.longAt("times") ?: 1).toInt()) { client.track("$input", props.orEmpty()) }
            }
            "screen" -> client.screen("$input")
            "identify" -> client.identify(input as String?)
            "reset" -> client.reset()
            "flush", "hide" -> client.flush()
            "optOut" -> client.optOut()
            "optIn" -> client.optIn()
            "kill" -> kill()
            "advance" -> world.advance(input as Long)
            "jump" -> world.jump(input as Long)
            "answers" -> script(input as List<*>)
            "release" -> world.release()
            "stall" -> world.stall()
            "resume" -> world.resume()
            "expect" -> check(checkNotNull(step.objectAt(action)).mapValues { it.value })
            else -> error("no such step: $step")
        }
    }

    private fun start(given: Fields) {
        // A page may make a second client; an app has to be a new process for that.
        if (client.isStarted) kill()
        val options = Options(given.textAt("key") ?: "svp_test", given.textAt("url") ?: "https://service.example")
        given.textAt("platform")?.let { options.platform = it }
        options.appVersion = given.textAt("appVersion")
        options.osVersion = given.textAt("osVersion")
        options.locale = given.textAt("locale")
        options.country = given.textAt("country")
        given.longAt("flushIntervalMs")?.let { options.flushIntervalMs = it }
        given.longAt("batchSize")?.let { options.batchSize = it.toInt() }
        options.directory = directory
        options.debug = given["debug"] == true
        if (given["listens"] != false) {
            options.onError = ErrorListener {
                errors.add(it)
                messages.add(it.message)
                reasons.add(it.server)
            }
        }
        client.start(options)
    }

    private fun kill() {
        world.kill()
        client = EventClient(world)
    }

    private fun script(answers: List<*>) {
        world.answers.clear()
        world.repeated = null
        for (answer in answers) {
            val always = (answer as? Map<*, *>)?.get("always")
            if (always != null) world.repeated = scripted(always) else world.answers.add(scripted(answer))
        }
    }

    private fun scripted(answer: Any?): ScriptedAnswer = when (answer) {
        "hold" -> ScriptedAnswer.Hold
        is String -> ScriptedAnswer.Cut
        is Long -> ScriptedAnswer.Answer(answer.toInt(), null, null)
        else -> fieldsOf(answer).let {
            ScriptedAnswer.Answer((it.longAt("status") ?: 0).toInt(), it.textAt("retryAfter"), it.textAt("body"))
        }
    }

    private fun check(wanted: Fields) {
        if ("requests" in wanted) {
            val fresh = world.requests.drop(seen)
            val each = wanted.objectsAt("requests")
            same(fresh.size, each.size, "requests ${fresh.map { it.events.size }}")
            fresh.zip(each).forEach { (sent, one) -> check(sent, one) }
            seen += fresh.size
        }
        taken(errors, wanted["errors"]) { all, codes -> same(all.map { it.code.text }, codes, "errors") }
        taken(reasons, wanted["reasons"]) { all, each ->
            val told = all.map { it?.let { reason -> listOf(reason.code, reason.message, reason.hint) } }
            same(told, each.map { (it as? Map<*, *>)?.let { one -> listOf(one["code"], one["message"], one["hint"]) } }, "reasons")
        }
        taken(messages, wanted["messages"]) { all, each -> checkAll(all, each, "messages") }
        taken(world.lines, wanted["lines"]) { all, each -> checkAll(all, each, "lines") }
        taken(world.warnings, wanted["warnings"]) { all, each -> checkAll(all, each, "warnings") }
        wanted.longAt("queued")?.let { same(client.queuedCount, it.toInt(), "queued") }
    }

    private fun <T> taken(all: MutableList<T>, wanted: Any?, compare: (List<T>, List<*>) -> Unit) {
        if (wanted !is List<*>) return
        compare(all.toList(), wanted)
        all.clear()
    }

    private fun checkAll(actual: List<String>, wanted: List<*>, place: String) {
        same(actual.size, wanted.size, "$place $actual")
        actual.zip(wanted).forEachIndexed { index, (line, each) -> check(line, each, "$place $index") }
    }

    private fun check(sent: SentRequest, wanted: Fields) {
        wanted.textAt("url")?.let { same(sent.request.endpoint, it, "url") }
        wanted.textAt("key")?.let { same(sent.request.key, it, "key") }
        wanted.longAt("count")?.let { same(sent.events.size, it.toInt(), "count") }
        wanted["names"]?.let { same(sent.events.map { event -> event["name"] }, expand(it), "names") }
        wanted.longAt("maxBytes")?.let { check(sent.request.body.size < it) { "$label: ${sent.request.body.size} bytes" } }
        wanted.objectsAt("events").forEachIndexed { index, each -> check(sent.events[index], each, "event $index") }
        check(sent.body["context"], wanted["context"] ?: emptyMap<String, Any?>(), "context")
    }

    private fun check(actual: Any?, wanted: Any?, place: String) {
        if (wanted !is Map<*, *>) return same(actual, wanted, place)
        when (val name = wanted.keys.firstOrNull()) {
            "\$absent" -> same(actual, null, place)
            "\$matches" -> check(Regex("${wanted[name]}").containsMatchIn(actual as String)) { "$label: $place is $actual" }
            "\$not" -> check(actual is String && actual != names["${wanted[name]}"]) { "$label: $place is $actual" }
            "\$as" -> same(actual, names.getOrPut("${wanted[name]}") { actual as String }, place)
            "\$repeat", "\$join", "\$many" -> same(actual, expand(wanted), place)
            else -> for ((field, each) in wanted) check((actual as? Map<*, *>)?.get(field), each, "$place.$field")
        }
    }

    private fun same(actual: Any?, wanted: Any?, place: String) =
        check(actual == wanted || (actual is Number && wanted is Number && actual.toDouble() == wanted.toDouble())) {
            "$label: $place is $actual, not $wanted"
        }
}
