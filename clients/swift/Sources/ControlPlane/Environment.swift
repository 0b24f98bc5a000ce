import Foundation

struct BatchRequest: Sendable {
    let endpoint: URL
    let key: String
    let body: Data
}

struct Outcome: Sendable {
    /// HTTP status; 0 when there was no answer.
    let status: Int
    let retryAfter: String?
    var server: ServerReason?
    /// Why there was no answer, in the words of the system.
    var failure: String?
}

typealias Work = @Sendable () -> Void
typealias Cancel = @Sendable () -> Void

/// Everything outside the client; tests pass their own.
protocol Environment: Sendable {
    /// Milliseconds since 1970.
    func now() -> Int64
    /// In 0..<1.
    func random() -> Double
    func newId() -> String
    /// Shows a line to whoever develops the app.
    func log(_ line: String)
    /// Shows whoever develops the app what is wrong.
    func warn(_ line: String)
    /// Runs on the client's own serial queue, never on the caller's thread.
    func run(_ work: @escaping Work)
    func run(after seconds: TimeInterval, _ work: @escaping Work) -> Cancel
    /// Posts one batch; `done` is called once, on the client's queue.
    func post(_ request: BatchRequest, done: @escaping @Sendable (Outcome) -> Void) -> Cancel
    /// Calls back when the app goes out of sight.
    func onBackground(_ work: @escaping Work)
    /// Asks the system for time until `done` is called.
    func keepAwake(_ work: @escaping @Sendable (_ done: @escaping Work) -> Void)
}

/// The device.
final class SystemEnvironment: Environment {
    private let queue = DispatchQueue(label: "control-plane.events", qos: .utility)
    private let transport: Transport

    init() {
        transport = Transport(queue: queue)
    }

    func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
    func random() -> Double { Double.random(in: 0..<1) }
    func newId() -> String { UUID().uuidString.lowercased() }
    func log(_ line: String) { print(line) }
    func warn(_ line: String) { print(line) }
    func run(_ work: @escaping Work) { queue.async(execute: work) }

    func run(after seconds: TimeInterval, _ work: @escaping Work) -> Cancel {
        let isWanted = Locked(true)
        queue.asyncAfter(deadline: .now() + seconds) {
            if isWanted({ $0 }) { work() }
        }
        return { isWanted { $0 = false } }
    }

    func post(_ request: BatchRequest, done: @escaping @Sendable (Outcome) -> Void) -> Cancel {
        transport.post(request, done: done)
    }

    func onBackground(_ work: @escaping Work) {
        // By name, so that neither UIKit nor AppKit is linked and extensions can use the client.
        #if os(macOS)
            let names = ["NSApplicationDidResignActiveNotification", "NSApplicationWillTerminateNotification"]
        #else
            let names = ["UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification"]
        #endif
        for name in names {
            // The client lives as long as the app; nobody takes the observer away.
            _ = NotificationCenter.default.addObserver(forName: .init(name), object: nil, queue: nil) { _ in
                work()
            }
        }
    }

    func keepAwake(_ work: @escaping @Sendable (_ done: @escaping Work) -> Void) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Send events") { expired in
                if expired { return }
                let finished = DispatchSemaphore(value: 0)
                work { finished.signal() }
                _ = finished.wait(timeout: .now() + 25)
            }
        #else
            work {}
        #endif
    }
}
