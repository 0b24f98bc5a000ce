import Foundation

/// An answer, whose it is and since when.
struct Kept<Answer: Codable & Sendable>: Codable, Sendable {
    let who: Who
    let at: Date
    let etag: String?
    let answer: Answer
}

/// Answers by name, in a file.
struct KeptFile<Answer: Codable & Sendable>: Sendable {
    private let file: URL?
    private let longestAge: TimeInterval

    init(_ name: String, _ options: PurchaseOptions) {
        let directory =
            options.directory
            ?? FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
            .appendingPathComponent("ControlPlane", isDirectory: true)
        file = directory?.appendingPathComponent(name)
        longestAge = options.longestAge
        guard let directory else { return }
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// The answer for this person, if it is not too old, and its age.
    func find(_ name: String, _ who: Who, now: Date) -> (kept: Kept<Answer>, age: TimeInterval)? {
        guard let kept = all()[name], kept.who.isSame(who) else { return nil }
        // An answer from the future is one of a clock that was set back since.
        let age = max(now.timeIntervalSince(kept.at), 0)
        return age <= longestAge ? (kept, age) : nil
    }

    func keep(_ fresh: [String: Kept<Answer>]) {
        write(all().merging(fresh) { _, new in new })
    }

    /// In place of all that is kept.
    func keepOnly(_ fresh: [String: Kept<Answer>]) { write(fresh) }

    func forget() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private func write(_ all: [String: Kept<Answer>]) {
        guard let file, let data = try? JSONEncoder().encode(all) else { return }
        try? data.write(to: file, options: .atomic)
    }

    private func all() -> [String: Kept<Answer>] {
        guard let file, let data = try? Data(contentsOf: file) else { return [:] }
        return (try? JSONDecoder().decode([String: Kept<Answer>].self, from: data)) ?? [:]
    }
}
