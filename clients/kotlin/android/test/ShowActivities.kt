package controlplane.android

import android.app.Activity
import android.app.Application
import controlplane.ControlPlane
import java.io.File

/** A line of the input is what an app does, a line of the output that it did. */
object ShowActivities {
    private lateinit var application: Application

    @JvmStatic
    fun main(arguments: Array<String>) = generateSequence(::readLine).forEach { println(act(it.split(" "))) }

    private fun act(words: List<String>): Any? = when (words[0]) {
        "start" -> {
            application = Application(File(words[2]))
            val options = ControlPlaneAndroid.optionsOf(application, "svp_test", words[1])
            options.flushIntervalMs = 3_600_000
            ControlPlaneAndroid.start(application, options)
            options.directory
        }
        "track" -> ControlPlane.track(words[1])
        "started" -> application.registered.single().onActivityStarted(Activity(false))
        "stopped" -> application.registered.single().onActivityStopped(Activity(false))
        "rotated" -> application.registered.single().run {
            onActivityStopped(Activity(true))
            onActivityStarted(Activity(false))
        }
        else -> error(words)
    }
}
