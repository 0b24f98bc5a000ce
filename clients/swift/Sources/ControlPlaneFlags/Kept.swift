import Foundation

/// The last answer, and whose it is.
struct Kept: Codable, Equatable, Sendable {
    let person: String
    let values: [String: FlagValue]
    let etag: String?
    /// Flags that running experiments decide.
    let arms: Set<String>

    private struct Answer: Decodable {
        struct One: Decodable {
            let key: String
            let value: FlagValue?
            let metadata: [String: FlagValue]?
        }

        let flags: [One]
    }

    /// Nil for a body that is no answer: a proxy's page, or nothing.
    init?(person: String, body: Data, etag: String?) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: body) else { return nil }
        self.person = person
        self.etag = etag
        values = Dictionary(answer.flags.compactMap { one in one.value.map { (one.key, $0) } }) { _, last in last }
        arms = Set(answer.flags.filter { $0.metadata?["experiment"] != nil }.map(\.key))
    }
}

/// The file of the last answer.
struct KeptFile: Sendable {
    private let file: URL?

    init(_ given: URL?) {
        let directory =
            given
            ?? FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
            .appendingPathComponent("ControlPlane", isDirectory: true)
        file = directory?.appendingPathComponent("flags.json")
        guard let directory else { return }
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func read(_ person: String) -> Kept? {
        guard let file, let data = try? Data(contentsOf: file),
            let kept = try? JSONDecoder().decode(Kept.self, from: data), kept.person == person
        else { return nil }
        return kept
    }

    func write(_ kept: Kept) {
        guard let file, let data = try? JSONEncoder().encode(kept) else { return }
        try? data.write(to: file, options: .atomic)
    }
}
