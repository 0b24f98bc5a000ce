import Foundation

/// An unsent event: its id, and its JSON as it was tracked.
struct Entry: Sendable {
    let id: String
    let json: Data
}

/// The queue on disk: files `<n>.events`, each a line an event, or `!` and the ids that are done with.
/// Only the newest is appended to, and only by this process; a line cut short by a crash is skipped.
struct Segments {
    private let directory: URL
    private var active: Int
    private var descriptor: Int32
    /// The last line is not whole: the disk was full.
    private var isTorn = false

    /// Nil when nothing can be written there.
    init?(directory: URL) {
        self.directory = directory
        active = (Self.numbers(in: directory).max() ?? 0) + 1
        descriptor = -1
        guard openActive() else { return nil }
    }

    private func file(_ number: Int) -> URL {
        directory.appendingPathComponent("\(number).events")
    }

    private static func numbers(in directory: URL) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.compactMap { $0.hasSuffix(".events") ? Int($0.dropLast(7)) : nil }.sorted()
    }

    private mutating func openActive() -> Bool {
        descriptor = open(file(active).path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        protect(file(active))
        return descriptor >= 0
    }

    /// One write to the open file and no fsync: it survives a killed process.
    mutating func append(_ line: Data) -> Bool {
        var bytes = isTorn ? Data([10]) : Data()
        bytes.append(line)
        bytes.append(10)
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        isTorn = written < bytes.count
        return !isTorn
    }

    mutating func append(done ids: [String]) {
        _ = append(Data(("!" + ids.joined(separator: " ")).utf8))
    }

    /// What earlier processes left, oldest first and each event once.
    func backlog() -> [Entry] {
        var entries: [Entry] = []
        var done: Set<String> = []
        for number in Self.numbers(in: directory) where number < active {
            guard let data = try? Data(contentsOf: file(number)) else { continue }
            for line in data.split(separator: 10) {
                if line.first == UInt8(ascii: "!") {
                    done.formUnion(String(decoding: line.dropFirst(), as: UTF8.self).split(separator: " ").map(String.init))
                } else if let entry = Self.entry(Data(line)) {
                    entries.append(entry)
                }
            }
        }
        return entries.filter { done.insert($0.id).inserted }
    }

    private struct Stored: Decodable {
        let id: String
        let name: String
        let anonymousId: String
    }

    private static func entry(_ line: Data) -> Entry? {
        (try? JSONDecoder().decode(Stored.self, from: line)).map { Entry(id: $0.id, json: line) }
    }

    /// Files of earlier launches that are still there.
    var olderFiles: Int { Self.numbers(in: directory).filter { $0 < active }.count }

    /// Nothing is unsent any more.
    func clear() {
        ftruncate(descriptor, 0)
        removeOlder(than: active)
    }

    /// Goes on in a new file, leaving a number free for what `compact` writes; the number left free.
    mutating func rotate() -> Int? {
        let before = (active, descriptor)
        active += 2
        guard openActive() else {
            (active, descriptor) = before
            return nil
        }
        close(before.1)
        return active - 1
    }

    /// Replaces every file before `number` by one with these entries. A crash in between leaves events
    /// twice on disk, which `backlog` notices.
    func compact(_ entries: [Entry], into number: Int) {
        var data = Data()
        for entry in entries {
            data.append(entry.json)
            data.append(10)
        }
        guard (try? data.write(to: file(number), options: .atomic)) != nil else { return }
        protect(file(number))
        removeOlder(than: number)
    }

    private func removeOlder(than limit: Int) {
        // Ascending: what says that an event is done with goes after the event.
        for number in Self.numbers(in: directory) where number < limit {
            try? FileManager.default.removeItem(at: file(number))
        }
    }
}

/// Readable while the phone is locked, once it has been unlocked since it was switched on.
func protect(_ url: URL) {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        let attributes = [FileAttributeKey.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: url.path)
    #endif
}
