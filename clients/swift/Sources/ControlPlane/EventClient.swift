import Foundation

/// Sends an app's product events to the control plane. Safe from any thread; no call throws or waits
/// for disk or network beyond one append to an open file, and one small file in the first `start`.
public final class EventClient: Sendable {
    static let queueLimit = 500
    /// Bytes of one event.
    private static let eventLimit = 50_000
    /// Bytes of events done with after which the files are written anew.
    private static let wasteLimit = 512 * 1024
    private static let fileLimit = 8

    struct State {
        var flusher: Flusher?
        var disk: Disk?
        var reporter: Reporter?
        var identity = Identity()
        var entries: [Entry] = []
        var segments: Segments?
        var waste = 0
        /// Files of earlier launches that `load` has yet to read.
        var unreadFiles = 0
        var isBacklogUnwanted = false
    }

    /// What became of an event on the caller's thread.
    private struct Added {
        let fits: Bool
        let isNewSession: Bool
        let isKept: Bool
    }

    private let environment: any Environment
    private let state = Locked(State())

    public convenience init() {
        self.init(environment: SystemEnvironment())
    }

    init(environment: any Environment) {
        self.environment = environment
    }

    /// Begins to take events; what was tracked before is dropped. A second call is ignored.
    public func start(_ options: Options) {
        let reporter = Reporter(options, environment)
        guard let settings = Settings(options) else {
            let fault = Settings.fault(options) ?? "The options cannot be used."
            return environment.run { reporter(ClientError(.invalidOptions, fault)) }
        }
        let isFirst = state { state in
            if state.flusher != nil { return false }
            state.flusher = makeFlusher(settings)
            state.reporter = reporter
            open(options.directory, &state)
            return true
        }
        guard isFirst else { return }
        environment.run { self.load() }
        environment.onBackground { [weak self] in self?.enterBackground() }
    }

    public func track(_ name: String, _ props: [String: (any PropertyConvertible)?] = [:]) {
        track(name, props.mapValues { $0?.propertyValue ?? .null })
    }

    public func track(_ name: String, _ props: [String: PropertyValue]) {
        guard name.isEventName else {
            return reportIfStarted(.invalidName, "\"\(name.cut(to: 80))\" is not an event name.")
        }
        let added = state { state -> Added? in
            guard state.flusher != nil, !state.identity.optedOut else { return nil }
            return append(name, props, &state)
        }
        guard let added else { return }
        if !added.fits { report(.eventTooLarge, "\"\(name)\" is too large.") }
        if !added.isKept { report(.storageUnavailable, "An event is kept in memory only.") }
        environment.run {
            if added.isNewSession { self.saveIdentity() }
            self.trim()
            self.state { $0.flusher }?.schedule()
        }
    }

    /// `track("screen_viewed", ["screen": name])`.
    public func screen(_ name: String) {
        track("screen_viewed", ["screen": PropertyValue.string(name)])
    }

    /// Attaches an opaque id to later events, never an e-mail address; nil clears it.
    public func identify(_ userId: String?) {
        let fault = userId?.userIdFault
        if let fault { reportIfStarted(.invalidUserId, fault) }
        changeIdentity { $0.userId = fault == nil ? userId : nil }
    }

    /// The id to ask for experiments and entitlements with; nil before `start` and after `optOut`.
    public var anonymousId: String? {
        state { $0.identity.anonymousId.isEmpty ? nil : $0.identity.anonymousId }
    }

    /// For a shared device: new anonymous id and session, no user id. Unsent events keep theirs.
    public func reset() {
        changeIdentity { $0.reset(newId: self.environment.newId) }
    }

    /// Sends what waits, now. `completion` is called on a background queue, at once while another
    /// flush runs.
    public func flush(completion: @escaping @Sendable () -> Void = {}) {
        environment.run {
            guard let flusher = self.state({ $0.flusher }) else { return completion() }
            self.saveIdentity()
            flusher.flush(done: completion)
        }
    }

    /// Stops for good on this device: the queue and every id are deleted.
    public func optOut() {
        state { state in
            guard state.flusher != nil else { return }
            state.identity = Identity(optedOut: true)
            state.entries = []
            state.unreadFiles = 0
            state.isBacklogUnwanted = true
        }
        environment.run {
            self.state { $0.flusher }?.halt()
            self.state { $0.segments?.clear() }
            self.saveIdentity()
        }
    }

    /// Takes `optOut` back; the person starts as a new one.
    public func optIn() {
        state { state in
            guard state.flusher != nil, state.identity.optedOut else { return }
            state.identity = Identity(anonymousId: environment.newId())
        }
        environment.run { self.saveIdentity() }
    }

    var isStarted: Bool { state { $0.flusher != nil } }

    /// Events waiting in memory and on disk, 0 only when nothing waits. Right after `start`, each file of
    /// an earlier launch counts as one event until it has been read.
    public var queuedCount: Int { state { $0.entries.count + $0.unreadFiles } }
}

// MARK: - On the caller's thread, under the lock

extension EventClient {
    private func open(_ directory: URL?, _ state: inout State) {
        state.disk = Disk(directory)
        switch state.disk?.readIdentity() {
        case .identity(let identity): state.identity = identity
        case .unreadable:
            state.disk = nil
            state.identity.anonymousId = environment.newId()
        case .nothing, nil:
            state.identity.anonymousId = environment.newId()
            // At once: a first launch that is killed early would be a person of its own.
            state.disk?.write(state.identity)
        }
        state.segments = state.disk.flatMap { Segments(directory: $0.directory) }
        state.isBacklogUnwanted = state.identity.optedOut
        state.unreadFiles = state.isBacklogUnwanted ? 0 : state.segments?.olderFiles ?? 0
    }

    private func append(
        _ name: String, _ props: [String: PropertyValue], _ state: inout State
    ) -> Added {
        let now = environment.now()
        let session = state.identity.touchSession(now: now, newId: environment.newId)
        let clean = Dictionary(
            props.map { ($0.key.cut(to: 500), $0.value.cleaned) }, uniquingKeysWith: { first, _ in first })
        let event = WireEvent(
            id: environment.newId(), name: name, ts: isoTimestamp(now),
            anonymousId: state.identity.anonymousId, userId: state.identity.userId,
            sessionId: session.id, props: clean.isEmpty ? nil : clean)
        guard let json = try? JSONEncoder().encode(event), json.count <= Self.eventLimit else {
            return Added(fits: false, isNewSession: session.isNew, isKept: true)
        }
        state.entries.append(Entry(id: event.id, json: json))
        let isKept = state.segments?.append(json) ?? true
        return Added(fits: true, isNewSession: session.isNew, isKept: isKept)
    }

    private func changeIdentity(_ change: (inout Identity) -> Void) {
        state { state in
            guard state.flusher != nil, !state.identity.optedOut else { return }
            change(&state.identity)
        }
        environment.run { self.saveIdentity() }
    }

    private func report(_ code: ClientError.Code, _ message: String) {
        environment.run { self.state { $0.reporter }?(ClientError(code, message)) }
    }

    private func reportIfStarted(_ code: ClientError.Code, _ message: String) {
        if state({ $0.flusher != nil && !$0.identity.optedOut }) { report(code, message) }
    }
}

// MARK: - On the client's queue

extension EventClient {
    private func makeFlusher(_ settings: Settings) -> Flusher {
        let queue = Flusher.Queue(
            count: { [weak self] in self?.state { $0.entries.count } ?? 0 },
            head: { [weak self] in self?.head($0, bytes: $1) ?? [] },
            remove: { [weak self] in self?.remove($0) })
        return Flusher(settings: settings, environment: environment, queue: queue) { [weak self] error in
            self?.state { $0.reporter }?(error)
        }
    }

    /// Reads what earlier launches left.
    private func load() {
        let (segments, hasDisk) = state { ($0.segments, $0.disk != nil) }
        if !hasDisk || segments == nil { report(.storageUnavailable, "Nothing outlives this launch.") }
        let backlog = segments?.backlog() ?? []
        state { state in
            state.unreadFiles = 0
            guard !state.isBacklogUnwanted else { return }
            state.entries = backlog + state.entries
            state.waste += backlog.reduce(0) { $0 + $1.json.count }
        }
        saveIdentity()
        trim()
        // A launch leaves a file; a month of launches without network must not leave hundreds.
        if let segments, segments.olderFiles > Self.fileLimit { compact() }
        state { $0.flusher }?.schedule()
    }

    private func head(_ count: Int, bytes: Int) -> [Entry] {
        state { state in
            var size = 0
            var batch: [Entry] = []
            for entry in state.entries.prefix(count) {
                size += entry.json.count + 1
                if !batch.isEmpty && size > bytes { break }
                batch.append(entry)
            }
            return batch
        }
    }

    private func remove(_ sent: [Entry]) {
        forget(Set(sent.map(\.id)))
    }

    private func trim() {
        let dropped = state { state -> [Entry] in
            Array(state.entries.prefix(max(state.entries.count - Self.queueLimit, 0)))
        }
        if dropped.isEmpty { return }
        forget(Set(dropped.map(\.id)))
        for _ in dropped { report(.queueFull, "The queue is full; the oldest event was dropped.") }
    }

    private func forget(_ ids: Set<String>) {
        let wasteful = state { state -> Bool in
            let gone = state.entries.filter { ids.contains($0.id) }
            state.entries.removeAll { ids.contains($0.id) }
            state.waste += gone.reduce(0) { $0 + $1.json.count }
            if state.entries.isEmpty {
                state.segments?.clear()
                state.waste = 0
            } else {
                state.segments?.append(done: gone.map(\.id))
            }
            return state.waste > Self.wasteLimit
        }
        if wasteful { compact() }
    }

    private func compact() {
        let plan = state { state -> (Segments, [Entry], Int)? in
            state.waste = 0
            guard let number = state.segments?.rotate(), let segments = state.segments else { return nil }
            return (segments, state.entries, number)
        }
        if let (segments, entries, number) = plan { segments.compact(entries, into: number) }
    }

    private func saveIdentity() {
        let (disk, identity) = state { ($0.disk, $0.identity) }
        disk?.write(identity)
    }

    private func enterBackground() {
        environment.keepAwake { done in self.flush(completion: done) }
    }
}
