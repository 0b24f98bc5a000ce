import Foundation

/// What went wrong, for logs; the client has already dealt with it.
public struct ClientError: Error, Sendable, Equatable {
    public enum Code: String, Sendable {
        case invalidOptions = "invalid_options"
        case invalidName = "invalid_name"
        case invalidUserId = "invalid_user_id"
        case eventTooLarge = "event_too_large"
        case queueFull = "queue_full"
        case storageUnavailable = "storage_unavailable"
        case batchDropped = "batch_dropped"
        case notDelivered = "not_delivered"
    }

    public let code: Code
    public let message: String
    /// HTTP status of the answer, when there was one.
    public let status: Int?
    /// What the service said of it, in its own words.
    public let server: ServerReason?

    init(_ code: Code, _ message: String, status: Int? = nil, server: ServerReason? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.server = server
    }
}

public struct Options: Sendable {
    /// The app's publishable key (`svp_…`). Never an organization key.
    public var key: String
    /// Address of the service, such as `https://events.example.com`.
    public var url: String
    /// `ios`, `android`, `web`, `macos` or `other`. Default: what this is built for.
    public var platform: String = defaultPlatform
    public var appVersion: String? = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    public var osVersion: String? = defaultOSVersion
    public var locale: String? = Locale.current.identifier.replacingOccurrences(of: "_", with: "-")
    /// Two letters (ISO 3166-1); anything else is left out.
    public var country: String? = Locale.current.regionCode
    /// Seconds between flushes; at least 0.25.
    public var flushInterval: TimeInterval = 3
    /// Events in a batch, clamped to 1...100. Batches fill to 100 when more than 100 wait.
    public var batchSize = 20
    /// Where the queue and the ids are kept. Default: the app's Application Support folder.
    /// An extension that tracks on its own needs a folder of its own.
    public var directory: URL?
    /// Prints every fault, and a line for each batch and its answer.
    public var debug = false
    /// Called on a background queue. Without it each kind of fault that you can mend is printed once.
    public var onError: (@Sendable (ClientError) -> Void)?

    public init(key: String, url: String) {
        self.key = key
        self.url = url
    }
}

private let defaultPlatform: String = {
    #if os(iOS) || os(visionOS)
        "ios"
    #elseif os(macOS)
        "macos"
    #else
        "other"
    #endif
}()

private let defaultOSVersion: String = {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
}()

/// The options in the form in which they are used.
struct Settings: Sendable {
    private static let platforms: Set = ["ios", "android", "web", "macos", "other"]

    let endpoint: URL
    let key: String
    let interval: TimeInterval
    let batchSize: Int
    let debug: Bool
    /// JSON of the batch context.
    let context: Data

    /// Why nothing can be sent with these options; nil when it can.
    static func fault(_ options: Options) -> String? {
        let key = trimmed(options.key)
        if key.hasPrefix("svk_") { return "An organization key must not be in an app." }
        if key.range(of: "^svp_[A-Za-z0-9_-]+$", options: .regularExpression) == nil {
            return "`key` is no publishable key (svp_…)."
        }
        return endpoint(options.url) == nil ? "`url` is such as https://host, without /v1." : nil
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func endpoint(_ address: String) -> URL? {
        var base = trimmed(address)
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasSuffix("/v1") || base.hasSuffix("/v1/events") { return nil }
        guard let url = URL(string: base + "/v1/events"), let host = url.host, !host.isEmpty,
            ["https", "http"].contains(url.scheme), url.query == nil, url.fragment == nil
        else { return nil }
        return url
    }

    /// Nil when `fault` says why.
    init?(_ options: Options) {
        guard Self.fault(options) == nil, let url = Self.endpoint(options.url) else { return nil }
        endpoint = url
        key = Self.trimmed(options.key)
        let interval = options.flushInterval.isFinite ? options.flushInterval : 3
        self.interval = min(max(interval, 0.25), 86_400)
        debug = options.debug
        batchSize = min(max(options.batchSize, 1), 100)
        let fields = [
            "platform": Self.platforms.contains(options.platform) ? options.platform : "other",
            "appVersion": options.appVersion?.cut(to: 40),
            "osVersion": options.osVersion?.cut(to: 40),
            "locale": options.locale?.cut(to: 16),
            "country": options.country.flatMap { $0.isCountry ? $0 : nil },
        ].compactMapValues { $0?.replacingOccurrences(of: "\0", with: "") }
        context = (try? JSONEncoder().encode(fields)) ?? Data("{}".utf8)
    }
}
