package controlplane

import java.io.File
import kotlin.system.exitProcess

/**
 * `behaviour FOLDER`: every case of the table. `chaos url key folder first count`: tracks `count` events
 * numbered from `first`, says of each that `track` has returned, and runs until it is killed; with count
 * 0 it ends when everything is delivered.
 */
fun main(arguments: Array<String>) = when (arguments.first()) {
    "behaviour" -> behaviour(File(arguments[1]))
    else -> chaos(arguments)
}

private fun behaviour(table: File) {
    val files = checkNotNull(table.listFiles()).filter { it.name.endsWith(".json") }.sorted()
    val cases = files.flatMap { file ->
        checkNotNull(Json.parsed("""{"cases":${file.readText()}}""")).objectsAt("cases")
    }.filter { it["only"] != "web" }
    val faults = cases.mapNotNull { definition ->
        val folder = kotlin.io.path.createTempDirectory("behaviour").toFile()
        try {
            TableCase(definition, folderOf(folder, definition["storage"] == "blocked")).run()
            null
        } catch (fault: RuntimeException) {
            "${fault.message ?: fault}"
        } finally {
            folder.deleteRecursively()
        }
    } + ownRules()
    faults.forEach(::println)
    println("${cases.size} cases, ${faults.size} faults")
    exitProcess(if (faults.isEmpty()) 0 else 1)
}

/** A file where the folder should be: nothing can be kept, whoever runs this. */
private fun folderOf(folder: File, isBlocked: Boolean): File =
    if (isBlocked) File(folder, "file").apply { writeText("") }.resolve("folder") else folder

/** What only this client has to hold: values of any class, and what is malformed on disk. */
private fun ownRules(): List<String> {
    val faults = ArrayList<String>()
    val left = ArrayList<String>()
    val clean = cleaned(mapOf("a" to listOf(1), "b" to 1.5f, "c" to 'x', "d" to 2.toBigDecimal(), "e" to null), left::add)
    val written = Json.write(clean)
    if (left != listOf("a")) faults += "left out: $left"
    if (written != """{"b":1.5,"c":"x","d":2,"e":null}""") faults += "props: $written"
    val texts = listOf("", "{", "{\"a\":}", "{\"a\":01}", "[".repeat(100), "{\"a\":\"\\u12\"}", "{} {}", "{\"a\":1,}", "nul")
    texts.filter { Json.parsed(it) != null }.forEach { faults += "taken for JSON: $it" }
    val round = """{"a":"\u0000\u001f\"\\é👩‍👩‍👧","b":[1,-2.5,true,{}]}"""
    val again = Json.parsed(Json.write(Json.parsed(round)))
    if (again != Json.parsed(round) || again == null) faults += "not the same again: $again"
    if (isoTimestamp(-1) != "1969-12-31T23:59:59.999Z") faults += isoTimestamp(-1)
    return faults + countedBeforeRead()
}

/** Work for the client's thread waits, as on a slow device. */
private class Stalled(world: World) : Environment by world {
    val waiting = ArrayDeque<() -> Unit>()
    override fun run(work: () -> Unit) {
        waiting.add(work)
    }
}

/** `queuedCount` is 0 only when nothing waits, before leftovers are read too. */
private fun countedBeforeRead(): List<String> {
    val folder = kotlin.io.path.createTempDirectory("leftovers").toFile()
    val options = Options("svp_test", "https://service.example").apply { directory = folder }
    EventClient(World()).run {
        start(options)
        repeat(3) { track("left_over") }
    }
    val slow = Stalled(World())
    val client = EventClient(slow)
    val counts = ArrayList<Int>()
    client.start(options)
    counts += client.queuedCount
    client.track("tracked")
    counts += client.queuedCount
    while (slow.waiting.isNotEmpty()) slow.waiting.removeFirst()()
    counts += client.queuedCount
    val again = EventClient(Stalled(World()))
    again.start(options)
    again.optOut()
    counts += again.queuedCount
    folder.deleteRecursively()
    return if (counts == listOf(1, 2, 4, 0)) emptyList() else listOf("queuedCount around the reading of leftovers: $counts")
}

private fun chaos(arguments: Array<String>) {
    val (_, url, key, folder) = arguments
    val first = arguments[4].toInt()
    val count = arguments[5].toInt()
    val options = Options(key, url)
    options.directory = File(folder)
    options.flushIntervalMs = 250
    options.onError = ErrorListener { println("error ${it.code.text}") }
    val client = EventClient()
    client.start(options)
    for (number in first until first + count) {
        client.track("chaos_kotlin", mapOf("n" to number, "emoji" to "👩‍👩‍👧"))
        println("tracked $number")
        if (number % 4 == 0) client.flush()
        Thread.sleep((0L..5L).random())
    }
    if (count > 0) Thread.sleep(20_000)
    repeat(600) {
        client.flush()
        Thread.sleep(50)
        if (client.queuedCount == 0) exitProcess(0)
    }
    println("left ${client.queuedCount}")
    exitProcess(1)
}
