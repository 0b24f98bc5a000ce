package controlplane.android

import android.app.Activity
import android.app.Application
import android.content.pm.PackageManager
import android.os.Build
import android.os.Bundle
import controlplane.ControlPlane
import controlplane.EventClient
import controlplane.Options
import java.io.File

/**
 * Starts the client in an Android app (API 21 and later), in `Application.onCreate`:
 *
 *     ControlPlaneAndroid.start(this, "svp_…", "https://events.example.com")
 */
object ControlPlaneAndroid {
    @JvmStatic
    fun start(application: Application, key: String, url: String) = start(application, optionsOf(application, key, url))

    /** With options of `optionsOf`, or of the app's own; a client of its own for another process. */
    @JvmStatic
    @JvmOverloads
    fun start(application: Application, options: Options, client: EventClient = ControlPlane.shared) {
        client.start(options)
        application.registerActivityLifecycleCallbacks(SendsWhenHidden(client))
    }

    /**
     * What the app knows by itself: its version, that of Android, and a folder out of backups, since a
     * backup restored on another phone would make two people one.
     */
    @JvmStatic
    fun optionsOf(application: Application, key: String, url: String): Options {
        val options = Options(key, url)
        options.platform = "android"
        options.osVersion = Build.VERSION.RELEASE
        options.appVersion = versionOf(application)
        options.directory = File(application.getNoBackupFilesDir(), "control-plane")
        return options
    }

    private fun versionOf(application: Application): String? = try {
        application.getPackageManager().getPackageInfo(application.getPackageName(), 0).versionName
    } catch (_: PackageManager.NameNotFoundException) {
        null
    }
}

/** Sends what waits when no activity is to be seen any more. Called on the app's main thread. */
private class SendsWhenHidden(private val client: EventClient) : Application.ActivityLifecycleCallbacks {
    private var shown = 0

    override fun onActivityStarted(activity: Activity) {
        shown += 1
    }

    override fun onActivityStopped(activity: Activity) {
        // A client that started late has not seen every start.
        shown = maxOf(shown - 1, 0)
        // A rotated phone shows the same activity anew.
        if (shown == 0 && !activity.isChangingConfigurations()) client.flush()
    }

    override fun onActivityCreated(activity: Activity, savedInstanceState: Bundle?) = Unit
    override fun onActivityResumed(activity: Activity) = Unit
    override fun onActivityPaused(activity: Activity) = Unit
    override fun onActivitySaveInstanceState(activity: Activity, outState: Bundle) = Unit
    override fun onActivityDestroyed(activity: Activity) = Unit
}
