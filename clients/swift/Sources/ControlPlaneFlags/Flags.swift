import Foundation

/// Reads an app's flags from the control plane. Safe from any thread; no read throws or waits.
///
///     let flags = Flags(options)
///     await flags.ready()
///     if flags.flag("new_checkout", false) { … }
public final class Flags: Sendable {
    private enum Exposure { case sending, sent, failed }

    private struct State {
        var person: String?
        var context: [String: FlagValue]
        /// Of the person and context that are asked for; an answer for earlier ones is too late.
        var turn = 0
        var kept: Kept?
        var read: Set<String> = []
        var exposures: [String: Exposure] = [:]
        var waitUntil = Date.distantPast
        var listeners: [@Sendable () -> Void] = []
        var first: Task<Void, Never>?
        var loop: Task<Void, Never>?
    }

    private static let leastInterval: TimeInterval = 5
    private let options: FlagOptions
    private let transport: any FlagTransport
    private let file: KeptFile
    private let state: Guarded<State>

    public convenience init(_ options: FlagOptions) {
        self.init(options, transport: SystemFlagTransport())
    }

    init(_ options: FlagOptions, transport: any FlagTransport) {
        self.options = options
        self.transport = transport
        file = KeptFile(options.directory)
        state = Guarded(State(person: options.person, context: options.context))
        if let fault = options.fault { report(FlagError(.invalidOptions, fault)) }
        restore()
        let first = Task { [weak self] in _ = await self?.refresh() }
        let interval = options.refreshInterval
        let loop =
            interval <= 0
            ? nil
            : Task { [weak self] in
                await first.value
                while !Task.isCancelled {
                    guard let seconds = self?.pause(interval) else { return }
                    try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
                    if Task.isCancelled { return }
                    _ = await self?.refresh()
                }
            }
        state {
            $0.first = first
            $0.loop = loop
        }
    }

    deinit { stop() }

    /// Once the service has answered, or has not in time.
    public func ready() async {
        await state { $0.first }?.value
    }

    /// The value of the last answer, else of the defaults, else the fallback: the first that is of the
    /// fallback's type. Where a running experiment decides, the first call says that the person saw the arm.
    public func flag(_ name: String, _ fallback: Bool) -> Bool {
        find(name) { if case .boolean(let boolean) = $0 { boolean } else { nil } } ?? fallback
    }

    public func flag(_ name: String, _ fallback: Double) -> Double {
        find(name) { if case .number(let number) = $0 { number } else { nil } } ?? fallback
    }

    /// A number with a fraction is none of these.
    public func flag(_ name: String, _ fallback: Int) -> Int {
        find(name) { if case .number(let number) = $0 { Int(exactly: number) } else { nil } } ?? fallback
    }

    public func flag(_ name: String, _ fallback: String) -> String {
        find(name) { if case .string(let string) = $0 { string } else { nil } } ?? fallback
    }

    public func flag(_ name: String, _ fallback: [String: FlagValue]) -> [String: FlagValue] {
        find(name) { if case .object(let object) = $0 { object } else { nil } } ?? fallback
    }

    /// Asks now; whether there was an answer.
    @discardableResult
    public func refresh() async -> Bool {
        let (person, turn, read, kept) = state { ($0.person, $0.turn, $0.read, $0.kept) }
        guard options.fault == nil, let person, !person.isEmpty, let url = options.endpoint else { return false }
        let etag = kept?.person == person ? kept?.etag : nil
        let body = ["flagsRead": FlagValue.list(read.sorted().map { .string($0) })]
        let answer = await post(url, etag: etag, person: person, extra: body)
        guard let fresh = taken(answer, person: person, turn: turn) else { return false }
        state { $0.read.subtract(read) }
        if let fresh { keep(fresh, turn: turn) }
        for name in state({ $0.exposures.filter { $0.value == .failed }.keys }) { expose(name) }
        return true
    }

    /// Another person, another context: what the earlier ones were given is no longer shown.
    @discardableResult
    public func use(person: String?, context: [String: FlagValue]? = nil) async -> Bool {
        state {
            $0.turn += 1
            if $0.person != person { $0.exposures = [:] }
            $0.person = person
            if let context { $0.context = context }
        }
        restore()
        return await refresh()
    }

    /// Called when a value has changed, on a background thread.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state { $0.listeners.append(listener) }
    }

    /// Asks no more.
    public func stop() {
        state { $0.loop }?.cancel()
    }

    private func find<Value>(_ name: String, _ fits: (FlagValue) -> Value?) -> Value? {
        let (found, isArm): (FlagValue?, Bool) = state { state in
            guard let kept = state.kept, kept.person == state.person else { return (nil, false) }
            return (kept.values[name], kept.arms.contains(name))
        }
        if let value = found.flatMap(fits) {
            if isArm { saw(name) } else { state { _ = $0.read.insert(name) } }
            return value
        }
        state { _ = $0.read.insert(name) }
        return options.defaults[name].flatMap(fits)
    }

    private func saw(_ name: String) {
        let isNew = state { $0.exposures[name] == nil }
        if isNew { expose(name) }
    }

    /// Evaluating one flag is the exposure; one that fails is tried again after the next answer.
    private func expose(_ name: String) {
        let (person, turn) = state { state -> (String?, Int) in
            state.exposures[name] = .sending
            return (state.person, state.turn)
        }
        guard let person, let url = options.endpoint?.appendingPathComponent(name) else { return }
        Task { [weak self] in
            let answer = await self?.post(url, etag: nil, person: person, extra: [:])
            self?.state { state in
                guard state.turn == turn || state.person == person else { return }
                state.exposures[name] = answer?.status == 200 ? .sent : .failed
            }
        }
    }

    private func post(_ url: URL, etag: String?, person: String, extra: [String: FlagValue]) async -> FlagAnswer {
        let given = state { $0.context }
        let context = given.merging(extra) { _, ours in ours }
            .merging(["targetingKey": .string(person)]) { _, ours in ours }
        guard let body = try? JSONEncoder().encode(["context": context]) else { return FlagAnswer(status: 0) }
        return await transport.post(
            FlagRequest(url: url, key: options.trimmedKey, etag: etag, body: body, timeout: options.timeout))
    }

    /// Nil without an answer; `.some(nil)` when nothing has changed.
    private func taken(_ answer: FlagAnswer, person: String, turn: Int) -> Kept?? {
        if answer.status == 304 { return .some(nil) }
        if answer.status == 200, let kept = Kept(person: person, body: answer.body, etag: answer.etag) {
            return .some(kept)
        }
        let seconds = answer.retryAfter.flatMap(Double.init) ?? 0
        if answer.status != 200, seconds > 0 { state { $0.waitUntil = Date(timeIntervalSinceNow: seconds) } }
        let isRefused = answer.status > 0 && answer.status < 500 && answer.status != 429
        let message = answer.failure ?? String(decoding: answer.body.prefix(500), as: UTF8.self)
        let status = answer.status == 0 ? nil : answer.status
        report(FlagError(isRefused ? .refused : .noAnswer, message, status: status))
        return nil
    }

    private func keep(_ kept: Kept, turn: Int) {
        let listeners = state { state -> [@Sendable () -> Void]? in
            guard state.turn == turn else { return nil }
            let isNew = state.kept?.values != kept.values
            state.kept = kept
            return isNew ? state.listeners : []
        }
        guard let listeners else { return }
        file.write(kept)
        for listener in listeners { listener() }
    }

    private func restore() {
        guard let person = state({ $0.person }), let kept = file.read(person) else { return }
        state { if $0.person == person, $0.kept?.person != person { $0.kept = kept } }
    }

    private func pause(_ interval: TimeInterval) -> TimeInterval {
        let wait = state { $0.waitUntil }.timeIntervalSinceNow
        return min(max(interval, Self.leastInterval, wait), 86_400)
    }

    private func report(_ error: FlagError) { options.onError?(error) }
}

/// A value that is only reached through a lock.
///
/// `@unchecked Sendable`: every access goes through `callAsFunction`, which holds the lock.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    @discardableResult
    func callAsFunction<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try work(&value)
    }
}
