import Foundation

extension String {
    /// At most `limit` code points: the unit of every length in the contract.
    func cut(to limit: Int) -> String {
        if utf8.count <= limit { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
    }

    var isEventName: Bool {
        guard let first = utf8.first, (97...122).contains(first), utf8.count <= 64 else { return false }
        return utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
    }

    var isCountry: Bool {
        utf8.count == 2 && utf8.allSatisfy { (65...90).contains($0) || (97...122).contains($0) }
    }

    /// Why this cannot be a user id; nil when it can.
    var userIdFault: String? {
        if isEmpty { return "A user id is not empty." }
        if unicodeScalars.contains("\0") || cut(to: 128) != self {
            return "A user id has at most 128 characters and no NUL."
        }
        return looksLikeEmail ? "A user id is opaque, never an e-mail address." : nil
    }

    private var looksLikeEmail: Bool {
        let parts = split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !contains(where: \.isWhitespace) else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }
}

/// ISO 8601 in UTC with milliseconds.
func isoTimestamp(_ milliseconds: Int64) -> String {
    // Floor, so that the fraction is positive before 1970 too.
    let fraction = ((milliseconds % 1000) + 1000) % 1000
    var seconds = time_t((milliseconds - fraction) / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
        Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday),
        Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec), Int(fraction)
    )
}
