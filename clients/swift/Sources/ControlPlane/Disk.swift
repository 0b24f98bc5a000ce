import Foundation

/// The folder of one client: who is acting, and the queue.
struct Disk: Sendable {
    let directory: URL
    private var identityFile: URL { directory.appendingPathComponent("identity.json") }

    /// Nil when the folder cannot be made.
    init?(_ given: URL?) {
        guard let directory = given ?? Self.standard else { return nil }
        self.directory = directory
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            return nil
        }
        protect(directory)
        Self.leaveOutOfBackups(directory)
    }

    private static var standard: URL? {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
            .appendingPathComponent("ControlPlane", isDirectory: true)
    }

    // A backup restored on another phone would make two people one.
    private static func leaveOutOfBackups(_ directory: URL) {
        #if !os(Linux)
            var url = directory
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? url.setResourceValues(values)
        #endif
    }

    enum Found {
        case identity(Identity)
        case nothing
        /// There is one, and it cannot be read now (a phone not unlocked yet): it must not be replaced.
        case unreadable
    }

    func readIdentity() -> Found {
        guard FileManager.default.fileExists(atPath: identityFile.path) else { return .nothing }
        guard let data = try? Data(contentsOf: identityFile) else { return .unreadable }
        guard let identity = try? JSONDecoder().decode(Identity.self, from: data), identity.isUsable
        else { return .nothing }
        return .identity(identity)
    }

    func write(_ identity: Identity) {
        guard let data = try? JSONEncoder().encode(identity) else { return }
        try? data.write(to: identityFile, options: .atomic)
        protect(identityFile)
    }
}
