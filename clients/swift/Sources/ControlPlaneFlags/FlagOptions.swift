import Foundation

/// Why there is no answer, for logs; the client goes on with what it has.
public struct FlagError: Error, Sendable, Equatable {
    public enum Code: String, Sendable {
        case invalidOptions = "invalid_options"
        case refused
        case noAnswer = "no_answer"
    }

    public let code: Code
    public let message: String
    /// HTTP status of the answer, when there was one.
    public let status: Int?

    init(_ code: Code, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }
}

public struct FlagOptions: Sendable {
    /// The app's flag key (`svf_…`): it reads flags, which may be an exposure.
    public var key: String
    /// Address of the service, such as `https://events.example.com`.
    public var url: String
    /// Who gets the values: `ControlPlane.anonymousId`, or any id that stays.
    public var person: String?
    /// What rules go by: `platform`, `appVersion`, `osVersion`, `locale`, `country` and whatever else.
    public var context: [String: FlagValue] = [:]
    /// Bundled with the app: what holds until the service has answered once.
    public var defaults: [String: FlagValue] = [:]
    /// Where the last answer outlives the app. Default: the app's Application Support folder.
    public var directory: URL?
    /// Seconds between two questions, at least 5; 0: only `refresh()` asks.
    public var refreshInterval: TimeInterval = 30
    /// Seconds after which an answer is done without.
    public var timeout: TimeInterval = 2
    /// Called on a background thread.
    public var onError: (@Sendable (FlagError) -> Void)?

    public init(key: String, url: String, person: String?) {
        self.key = key
        self.url = url
        self.person = person
    }

    var trimmedKey: String { key.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Nil for an address that is no such.
    var endpoint: URL? {
        var base = url.trimmingCharacters(in: .whitespacesAndNewlines)
        while base.hasSuffix("/") { base.removeLast() }
        guard !base.hasSuffix("/v1"), let url = URL(string: base + "/v1/ofrep/v1/evaluate/flags"),
            let host = url.host, !host.isEmpty, ["https", "http"].contains(url.scheme), url.query == nil
        else { return nil }
        return url
    }

    /// Why nothing can be asked with these options; nil when it can.
    var fault: String? {
        if trimmedKey.range(of: "^svf_[A-Za-z0-9_-]+$", options: .regularExpression) == nil {
            return "`key` is no flag key (svf_…)."
        }
        return endpoint == nil ? "`url` is such as https://host, without /v1." : nil
    }
}
