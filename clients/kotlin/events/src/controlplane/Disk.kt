package controlplane

import java.io.File
import java.io.FileOutputStream
import java.io.IOException

/** The folder of one client: who is acting, and the queue. */
internal class Disk private constructor(val directory: File) {
    private val identityFile = File(directory, "identity.json")

    sealed interface Found {
        class Known(val identity: Identity) : Found
        object Nothing : Found

        /** There is one, and it cannot be read now: it must not be replaced. */
        object Unreadable : Found
    }

    fun readIdentity(): Found {
        if (!identityFile.exists()) return Found.Nothing
        val text = try {
            identityFile.readText()
        } catch (_: IOException) {
            return Found.Unreadable
        }
        return Identity.of(text)?.let { Found.Known(it) } ?: Found.Nothing
    }

    fun write(identity: Identity) {
        replace(identityFile, identity.toJson().toByteArray())
    }

    companion object {
        /** Null when the folder cannot be made. */
        fun at(directory: File?): Disk? = try {
            directory?.takeIf { it.isDirectory || it.mkdirs() }?.let(::Disk)
        } catch (_: SecurityException) {
            null
        }
    }
}

/** Whole or not at all; whether it is there. */
internal fun replace(file: File, bytes: ByteArray): Boolean = try {
    val part = File(file.path + ".part")
    FileOutputStream(part).use { it.write(bytes) }
    // Windows renames onto nothing only.
    part.renameTo(file) || (file.delete() && part.renameTo(file))
} catch (_: IOException) {
    false
}
