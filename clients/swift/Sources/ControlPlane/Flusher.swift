import Foundation

/// Sends the queue, one flush at a time, and decides when the next one is due.
///
/// `@unchecked Sendable`: every member runs on the client's serial queue.
final class Flusher: @unchecked Sendable {
    /// What is waiting, as the client keeps it.
    struct Queue: Sendable {
        let count: @Sendable () -> Int
        let head: @Sendable (_ count: Int, _ bytes: Int) -> [Entry]
        let remove: @Sendable ([Entry]) -> Void
    }

    private enum Verdict { case delivered, refused, barred, split, again }

    /// The server takes 64 KB.
    private static let bodyLimit = 64_000
    private static let batchLimit = 100

    private let settings: Settings
    private let environment: any Environment
    private let queue: Queue
    private let report: @Sendable (ClientError) -> Void
    private var pace: Pace
    private var bodyLimit = Flusher.bodyLimit
    private var cancelTimer: Cancel?
    private var timerIsSoon = false
    private var cancelPost: Cancel?
    private var waiters: [Work] = []
    private var isFlushing = false
    private var run = 0

    init(
        settings: Settings, environment: any Environment, queue: Queue,
        report: @escaping @Sendable (ClientError) -> Void
    ) {
        self.settings = settings
        self.environment = environment
        self.queue = queue
        self.report = report
        pace = Pace(interval: settings.interval)
    }

    /// Sees to it that a timer runs when there is something to send.
    func schedule() {
        let count = queue.count()
        let soon = count >= settings.batchSize && !pace.isFailing
        if isFlushing || count == 0 || (cancelTimer != nil && (timerIsSoon || !soon)) { return }
        clearTimer()
        timerIsSoon = soon
        let wait = soon ? 0 : pace.delay(now: environment.now(), random: environment.random())
        cancelTimer = environment.run(after: wait) { [weak self] in self?.flush() }
    }

    /// Sends what waits. `done` is called at its end, or at once when another flush runs.
    func flush(done: @escaping Work = {}) {
        if isFlushing || pace.isBarred(now: environment.now()) {
            schedule()
            return done()
        }
        clearTimer()
        isFlushing = true
        run += 1
        waiters.append(done)
        sendNext(run)
    }

    /// Ends what is under way.
    func halt() {
        run += 1
        clearTimer()
        cancelPost?()
        finish()
    }

    private func clearTimer() {
        cancelTimer?()
        cancelTimer = nil
    }

    private func finish() {
        isFlushing = false
        let called = waiters
        waiters = []
        for waiter in called { waiter() }
    }

    private func sendNext(_ mine: Int) {
        let count = queue.count() > Self.batchLimit ? Self.batchLimit : settings.batchSize
        let batch = queue.head(count, bodyLimit - settings.context.count - 40)
        if batch.isEmpty { return finish() }
        let body = Self.body(batch, context: settings.context)
        let request = BatchRequest(endpoint: settings.endpoint, key: settings.key, body: body)
        cancelPost = environment.post(request) { [weak self] outcome in
            guard let self else { return }
            if self.settings.debug { self.environment.log(Self.line(batch, outcome)) }
            guard mine == self.run else { return }
            if self.settle(batch, bytes: body.count, outcome) {
                self.sendNext(mine)
            } else {
                self.finish()
                self.schedule()
            }
        }
    }

    /// True when the next batch may go at once.
    private func settle(_ batch: [Entry], bytes: Int, _ outcome: Outcome) -> Bool {
        let status = outcome.status
        switch Self.judge(outcome, events: batch.count, now: environment.now()) {
        case .again:
            pace.failed(outcome, now: environment.now())
            let message = ["It will be sent again.", outcome.failure].compactMap { $0 }.joined(separator: " ")
            report(ClientError(.notDelivered, message, status: status, server: outcome.server))
            return false
        case .barred:
            queue.remove(batch)
            pace.failed(outcome, now: environment.now())
            report(ClientError(.batchDropped, "The server refused a batch; it was dropped.", status: status, server: outcome.server))
            return false
        case .split:
            bodyLimit = bytes / 2
        case .delivered:
            bodyLimit = min(bodyLimit * 2, Self.bodyLimit)
            queue.remove(batch)
        case .refused:
            queue.remove(batch)
            report(ClientError(.batchDropped, "The server refused a batch; it was dropped.", status: status, server: outcome.server))
        }
        pace.recovered()
        return true
    }

    private static func judge(_ outcome: Outcome, events: Int, now: Int64) -> Verdict {
        let status = outcome.status
        if (200..<300).contains(status) { return .delivered }
        if status == 413 && events > 1 { return .split }
        // A key that was revoked: no other batch fares better before the server's time is over.
        if status == 401 && Pace.seconds(outcome.retryAfter, now: now) > 0 { return .barred }
        return (400..<500).contains(status) && status != 429 ? .refused : .again
    }

    /// What `debug` shows of a batch and its answer.
    private static func line(_ batch: [Entry], _ outcome: Outcome) -> String {
        struct Named: Decodable { let name: String }
        let names = batch.map { (try? JSONDecoder().decode(Named.self, from: $0.json).name) ?? "?" }
        let status = outcome.status == 0 ? "no answer: \(outcome.failure ?? "unknown")" : "\(outcome.status)"
        let answer = [status] + (outcome.server?.words ?? [])
        return "control-plane: \(names.joined(separator: ",")) → \(answer.joined(separator: " "))"
    }

    private static func body(_ batch: [Entry], context: Data) -> Data {
        var body = Data(#"{"events":["#.utf8)
        for (index, entry) in batch.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(entry.json)
        }
        body.append(Data(#"],"context":"#.utf8))
        body.append(context)
        body.append(UInt8(ascii: "}"))
        return body
    }
}
