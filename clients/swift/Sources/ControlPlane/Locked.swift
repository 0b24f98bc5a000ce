import Foundation

#if canImport(Darwin)
    import os

    /// Lends the waiting thread's priority to the one that holds it: the main thread never waits for
    /// a background thread that the system has put aside.
    private final class Lock {
        private let raw: UnsafeMutablePointer<os_unfair_lock>

        init() {
            raw = .allocate(capacity: 1)
            raw.initialize(to: os_unfair_lock())
        }

        deinit {
            raw.deinitialize(count: 1)
            raw.deallocate()
        }

        func lock() { os_unfair_lock_lock(raw) }
        func unlock() { os_unfair_lock_unlock(raw) }
    }
#else
    private typealias Lock = NSLock
#endif

/// A value that is only reached through a lock.
///
/// `@unchecked Sendable`: every access goes through `callAsFunction`, which holds the lock.
/// (`Mutex` needs iOS 18.)
final class Locked<Value>: @unchecked Sendable {
    private let lock = Lock()
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
