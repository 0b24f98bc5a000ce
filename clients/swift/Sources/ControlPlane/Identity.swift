import Foundation

/// Who is acting. Kept in a small file of its own.
struct Identity: Codable, Sendable, Equatable {
    struct Session: Codable, Sendable, Equatable {
        var id: String
        /// Milliseconds since 1970.
        var started: Int64
        var last: Int64
    }

    static let sessionGap: Int64 = 30 * 60_000
    static let sessionLimit: Int64 = 24 * 60 * 60_000

    var anonymousId = ""
    var userId: String?
    var session: Session?
    var optedOut = false

    /// The session of something that happens now; true when it is a new one.
    mutating func touchSession(now: Int64, newId: () -> String) -> (id: String, isNew: Bool) {
        if var known = session {
            // A clock set back must neither end a session nor let it outlive its day.
            known.started = min(known.started, now)
            if now - known.last <= Self.sessionGap, now - known.started <= Self.sessionLimit {
                known.last = now
                session = known
                return (known.id, false)
            }
        }
        let fresh = Session(id: newId(), started: now, last: now)
        session = fresh
        return (fresh.id, true)
    }

    mutating func reset(newId: () -> String) {
        anonymousId = newId()
        userId = nil
        session = nil
    }

    var isUsable: Bool { optedOut || (8...128).contains(anonymousId.unicodeScalars.count) }
}

/// One event as it goes over the wire.
struct WireEvent: Encodable {
    let id: String
    let name: String
    let ts: String
    let anonymousId: String
    let userId: String?
    let sessionId: String
    let props: [String: PropertyValue]?
}
