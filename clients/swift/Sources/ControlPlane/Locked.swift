import Foundation

/// A value that is only reached through a lock.
///
/// `@unchecked Sendable`: every access goes through `callAsFunction`, which holds the lock.
/// (`Mutex` needs iOS 18.)
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func callAsFunction<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try work(&value)
    }
}
