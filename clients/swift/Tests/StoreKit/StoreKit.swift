// StoreKit 2 as far as the client uses it, for systems without it: names and types as Apple's reference has
// them for iOS 15 (`Transaction`, `VerificationResult`). The bodies are the tests' own.
import Foundation

public enum VerificationResult<SignedType> {
    public enum VerificationError: Error { case invalidSignature }

    case unverified(SignedType, VerificationError)
    case verified(SignedType)
}

extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult where SignedType == Transaction {
    public var jwsRepresentation: String {
        switch self {
        case .unverified(let transaction, _), .verified(let transaction): "jws-\(transaction.id)"
        }
    }
}

public struct Transaction: Identifiable, Sendable {
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>
        public typealias AsyncIterator = AsyncStream<Element>.Iterator

        let stream: AsyncStream<Element>

        public func makeAsyncIterator() -> AsyncIterator { stream.makeAsyncIterator() }
    }

    public let id: UInt64

    public static var unfinished: Transactions { Store.shared.transactions(.unfinished) }
    public static var updates: Transactions { Store.shared.transactions(.updates) }
    public static var currentEntitlements: Transactions { Store.shared.transactions(.current) }

    public func finish() async { Store.shared.finish(id) }
}

/// What the tests say that the store has.
///
/// `@unchecked Sendable`: every access goes through the lock.
public final class Store: @unchecked Sendable {
    public enum List: Hashable, Sendable { case unfinished, updates, current }

    public static let shared = Store()
    private let lock = NSLock()
    private var lists: [List: [VerificationResult<Transaction>]] = [:]
    private var finished: [UInt64] = []

    public func set(_ list: List, verified: [UInt64], unverified: [UInt64] = []) {
        lock.withLock {
            lists[list] =
                verified.map { .verified(Transaction(id: $0)) }
                + unverified.map { .unverified(Transaction(id: $0), .invalidSignature) }
            finished = []
        }
    }

    public var finishedIds: [UInt64] { lock.withLock { finished } }

    func finish(_ id: UInt64) { lock.withLock { finished.append(id) } }

    func transactions(_ list: List) -> Transaction.Transactions {
        let results = lock.withLock { lists[list] ?? [] }
        return Transaction.Transactions(
            stream: AsyncStream { continuation in
                for result in results { continuation.yield(result) }
                continuation.finish()
            })
    }
}
