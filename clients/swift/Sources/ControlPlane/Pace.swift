import Foundation

/// When to try again.
struct Pace: Sendable {
    static let longestDelay: TimeInterval = 5 * 60
    static let longestRetryAfter: TimeInterval = 86_400

    let interval: TimeInterval
    private var failures = 0
    private var asked: TimeInterval = 0
    private var askedAt: Int64 = 0
    private var isBinding = false

    init(interval: TimeInterval) {
        self.interval = interval
    }

    var isFailing: Bool { failures > 0 }

    // Measured from the answer, so that a clock set back cannot bar for longer than was asked.
    private func remaining(now: Int64) -> TimeInterval {
        let waited = TimeInterval(now - askedAt) / 1000
        return waited < 0 ? 0 : max(asked - waited, 0)
    }

    /// Seconds to the next flush that nobody asks for.
    func delay(now: Int64, random: Double) -> TimeInterval {
        let grown = min(interval * pow(2, Double(max(failures - 1, 0))), Self.longestDelay)
        let jittered = failures > 1 ? grown * (0.5 + random / 2) : interval
        return max(jittered, interval, remaining(now: now))
    }

    /// The server said, with 429 or 401, not to come back yet: this binds an explicit flush too.
    func isBarred(now: Int64) -> Bool { isBinding && remaining(now: now) > 0 }

    mutating func failed(_ outcome: Outcome, now: Int64) {
        failures = outcome.status == 429 ? max(failures, 1) + 1 : failures + 1
        isBinding = outcome.status == 429 || outcome.status == 401
        askedAt = now
        asked = Self.seconds(outcome.retryAfter, now: now)
    }

    mutating func recovered() {
        self = Pace(interval: interval)
    }

    static func seconds(_ retryAfter: String?, now: Int64) -> TimeInterval {
        guard let retryAfter else { return 0 }
        if let seconds = Double(retryAfter), seconds.isFinite {
            return min(max(seconds, 0), longestRetryAfter)
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = format.date(from: retryAfter) else { return 0 }
        return min(max(date.timeIntervalSince1970 - TimeInterval(now) / 1000, 0), longestRetryAfter)
    }
}
