import Foundation

/// Why there is no answer, for logs; the app goes on with what it has.
public struct PurchaseError: Error, Sendable, Equatable {
    public let message: String
    /// HTTP status of the answer, when there was one.
    public let status: Int?
}

public struct PurchaseOptions: Sendable {
    /// The app's publishable key (`svp_…`). Never an organization key.
    public var key: String
    /// Address of the service, such as `https://events.example.com`.
    public var url: String
    /// Where the last answers outlive the app. Default: the app's Application Support folder.
    public var directory: URL?
    /// Seconds after which an answer is done without.
    public var timeout: TimeInterval = 2
    /// Seconds for which an answer holds where the service cannot be reached.
    public var longestAge: TimeInterval = 30 * 86_400
    /// Called on a background thread.
    public var onError: (@Sendable (PurchaseError) -> Void)?

    public init(key: String, url: String) {
        self.key = key
        self.url = url
    }

    var trimmedKey: String { key.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Nil for an address that is no such.
    var base: URL? {
        var base = url.trimmingCharacters(in: .whitespacesAndNewlines)
        while base.hasSuffix("/") { base.removeLast() }
        guard !base.hasSuffix("/v1"), let url = URL(string: base), let host = url.host, !host.isEmpty,
            ["https", "http"].contains(url.scheme), url.query == nil
        else { return nil }
        return url
    }

    /// Why nothing can be asked with these options; nil when it can.
    var fault: String? {
        if trimmedKey.range(of: "^svp_[A-Za-z0-9_-]+$", options: .regularExpression) == nil {
            return "`key` is no publishable key (svp_…)."
        }
        return base == nil ? "`url` is such as https://host, without /v1." : nil
    }
}

/// By whom the service is asked: at least one of the two.
public struct Who: Codable, Sendable, Equatable {
    public var userId: String?
    public var anonymousId: String?

    public init(userId: String? = nil, anonymousId: String? = nil) {
        self.userId = userId
        self.anonymousId = anonymousId
    }

    /// The same user, or the same device while one of the two is not signed in.
    func isSame(_ other: Who) -> Bool {
        if let userId, let otherId = other.userId { return userId == otherId }
        return anonymousId != nil && anonymousId == other.anonymousId
    }
}
