import Foundation

@testable import ControlPlane

/// How the scripted server answers one request.
enum ScriptedAnswer {
    case answer(status: Int, retryAfter: String?, body: String? = nil)
    case cut
    case hold
}

struct SentRequest {
    let request: BatchRequest
    let body: [String: Any]
    var events: [[String: Any]] { body["events"] as? [[String: Any]] ?? [] }
}

/// What surrounds a client: server, clock and timers, all of them scripted.
/// `@unchecked Sendable`: the tests use one thread.
final class World: Environment, @unchecked Sendable {
    var randomNumber = 1.0
    var answers: [ScriptedAnswer] = []
    var repeated: ScriptedAnswer?
    var requests: [SentRequest] = []
    var lines: [String] = []
    var warnings: [String] = []
    /// Nothing runs on the client's queue any more, as in a process that is killed.
    var isStopped = false
    private var wall: Int64 = 1_772_366_400_000  // 2026-03-01T12:00:00Z
    private var elapsed = 0.0
    private var timers: [(id: Int, at: Double, work: Work)] = []
    private var held: [@Sendable (Outcome) -> Void] = []
    private var background: [Work] = []
    private var waiting: [Work] = []
    private var isRunning = false
    private var count = 0

    func now() -> Int64 { wall }
    func random() -> Double { randomNumber }
    func log(_ line: String) { lines.append(line) }
    func warn(_ line: String) { warnings.append(line) }

    func newId() -> String {
        count += 1
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(count)".count) + "\(count)"
    }

    func run(_ work: @escaping Work) {
        waiting.append(work)
        if isRunning || isStopped { return }
        isRunning = true
        while !waiting.isEmpty { waiting.removeFirst()() }
        isRunning = false
    }

    func run(after seconds: TimeInterval, _ work: @escaping Work) -> Cancel {
        count += 1
        let id = count
        timers.append((id, elapsed + seconds, work))
        return { [weak self] in self?.timers.removeAll { $0.id == id } }
    }

    func post(_ request: BatchRequest, done: @escaping @Sendable (Outcome) -> Void) -> Cancel {
        let body = try? JSONSerialization.jsonObject(with: request.body) as? [String: Any]
        requests.append(SentRequest(request: request, body: body ?? [:]))
        let answer = answers.isEmpty ? repeated ?? .answer(status: 202, retryAfter: nil) : answers.removeFirst()
        switch answer {
        case .hold: held.append(done)
        case .cut: run { done(Outcome(status: 0, retryAfter: nil, failure: "The connection was lost.")) }
        case .answer(let status, let retryAfter, let body):
            let server = ServerReason(body.map { Data($0.utf8) })
            run { done(Outcome(status: status, retryAfter: retryAfter, server: server)) }
        }
        return {}
    }

    func onBackground(_ work: @escaping Work) { background.append(work) }
    func keepAwake(_ work: @escaping @Sendable (@escaping Work) -> Void) { work {} }

    func hide() { for work in background { work() } }

    func resume() {
        isStopped = false
        run {}
    }

    func release() {
        let released = held
        held = []
        for done in released { run { done(Outcome(status: 202, retryAfter: nil)) } }
    }

    func kill() {
        timers = []
        held = []
        background = []
    }

    func jump(_ milliseconds: Int64) { wall += milliseconds }

    func advance(_ milliseconds: Int64) {
        let end = elapsed + Double(milliseconds) / 1000
        while let next = timers.filter({ $0.at <= end + 1e-9 }).min(by: { $0.at < $1.at }) {
            move(to: max(next.at, elapsed))
            timers.removeAll { $0.id == next.id }
            run(next.work)
        }
        move(to: end)
    }

    private func move(to time: Double) {
        wall += Int64(((time - elapsed) * 1000).rounded())
        elapsed = time
    }
}
