import Foundation

/// Hands purchases over, asks what a person may use and what to offer. No call throws.
public actor Purchases {
    private let options: PurchaseOptions
    private let transport: any PurchaseTransport
    private let now: @Sendable () -> Date
    private let entitlements: KeptFile<Entitlement>
    private let offered: KeptFile<Offerings>

    public init(_ options: PurchaseOptions) {
        self.init(options, transport: SystemPurchaseTransport(), now: { Date() })
    }

    init(_ options: PurchaseOptions, transport: any PurchaseTransport, now: @escaping @Sendable () -> Date) {
        self.options = options
        self.transport = transport
        self.now = now
        entitlements = KeptFile("entitlements.json", options)
        offered = KeptFile("offerings.json", options)
    }

    /// Hands a signed transaction over (`jwsRepresentation`). The entitlement that follows; nil where the
    /// service did not take it: do not finish it, hand it over again.
    @discardableResult
    public func handOver(_ signedTransaction: String, who: Who, offering: String? = nil) async -> Entitlement? {
        var body = ["signedTransaction": signedTransaction]
        body["userId"] = who.userId
        body["anonymousId"] = who.anonymousId
        body["offering"] = offering
        guard let sent = try? JSONEncoder().encode(body),
            let answer = await ask("v1/purchases/verify", [:], body: sent),
            let told = decoded(HandedOver.self, answer)
        else { return nil }
        let named = told.named.map { ($0.name, kept($0.entitlement, who)) }
        entitlements.keep(Dictionary(named) { _, last in last })
        return told.entitlement
    }

    /// What this person may use by a name of the app, such as `pro`: the service's answer, else the last
    /// one for the same person and name that is not too old.
    public func named(_ name: String, who: Who) async -> Entitlement? {
        let query = ["userId": who.userId, "anonymousId": who.anonymousId, "entitlement": name]
        if let answer = await ask("v1/purchases/entitlement", query), let told = decoded(Entitlement.self, answer) {
            entitlements.keep([name: kept(told, who)])
            return told
        }
        guard let (kept, age) = entitlements.find(name, who, now: now()) else { return nil }
        var last = kept.answer
        last.age = age
        return last
    }

    /// What the paywall shows to this person: the service's answer, else the last one for the same device
    /// and context that is not too old. `context` is for the rules of the flag that chooses. `isShown`: it
    /// is on the screen, which is the exposure of an experiment.
    public func offerings(who: Who, context: [String: String] = [:], isShown: Bool = false) async -> Offerings? {
        // The service goes by the device; a user who signs in is offered the same.
        let device = Who(anonymousId: who.anonymousId)
        var query: [String: String?] = context
        query["anonymousId"] = who.anonymousId
        let name = context.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let known = offered.find(name, device, now: now())
        if isShown { query["shown"] = "true" }
        let answer = await ask("v1/purchases/offerings", query, etag: known?.kept.etag)
        if let answer, let told = answer.status == 304 ? known?.kept.answer : decoded(Offerings.self, answer) {
            offered.keepOnly([name: kept(told, device, etag: answer.etag ?? known?.kept.etag)])
            return told
        }
        var last = known?.kept.answer
        last?.age = known?.age ?? 0
        return last
    }

    /// Forgets what is kept; call it beside `reset()`.
    public func forget() {
        entitlements.forget()
        offered.forget()
    }

    private func kept<Answer>(_ answer: Answer, _ who: Who, etag: String? = nil) -> Kept<Answer> {
        Kept(who: who, at: now(), etag: etag, answer: answer)
    }

    /// An answer of 200, or of 304 to an ETag; nil after saying why there is none.
    private func ask(
        _ path: String, _ query: [String: String?], etag: String? = nil, body: Data? = nil
    ) async -> PurchaseAnswer? {
        if let fault = options.fault { return failed(fault) }
        guard let base = options.base,
            var parts = URLComponents(url: base.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        else { return nil }
        if !query.isEmpty { parts.percentEncodedQuery = Self.encoded(query) }
        guard let url = parts.url else { return nil }
        let answer = await transport.send(
            PurchaseRequest(url: url, key: options.trimmedKey, etag: etag, body: body, timeout: options.timeout))
        if answer.status == 200 || (answer.status == 304 && etag != nil) { return answer }
        return failed(answer)
    }

    /// A `+` would be a space to the service.
    private static func encoded(_ query: [String: String?]) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        return query.sorted { $0.key < $1.key }.compactMap { name, value in
            value?.addingPercentEncoding(withAllowedCharacters: allowed).map { "\(name)=\($0)" }
        }.joined(separator: "&")
    }

    /// A captive portal's page is no answer.
    private func decoded<Answer: Decodable>(_ type: Answer.Type, _ answer: PurchaseAnswer) -> Answer? {
        if let told = try? JSONDecoder().decode(type, from: answer.body) { return told }
        _ = failed(answer)
        return nil
    }

    private func failed(_ answer: PurchaseAnswer) -> PurchaseAnswer? {
        failed(
            answer.failure ?? String(decoding: answer.body.prefix(500), as: UTF8.self),
            status: answer.status == 0 ? nil : answer.status)
    }

    private func failed(_ message: String, status: Int? = nil) -> PurchaseAnswer? {
        options.onError?(PurchaseError(message: message, status: status))
        return nil
    }
}
