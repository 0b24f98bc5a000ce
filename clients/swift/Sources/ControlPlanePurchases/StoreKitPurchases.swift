#if canImport(StoreKit)
    import StoreKit

    extension Purchases {
        /// Hands a result of StoreKit over, and finishes its transaction once the service has it. Call it
        /// after each purchase.
        @discardableResult
        public func handOver(
            _ result: VerificationResult<Transaction>, who: Who, offering: String? = nil
        ) async -> Entitlement? {
            let taken = await handOver(result.jwsRepresentation, who: who, offering: offering)
            guard let entitlement = taken else { return nil }
            if case .verified(let transaction) = result { await transaction.finish() }
            return entitlement
        }

        /// Hands over what earlier launches left and what comes from elsewhere: renewals, other devices,
        /// purchases that a parent approved. Start it with the app and keep the task.
        public nonisolated func listen(who: @escaping @Sendable () -> Who) -> Task<Void, Never> {
            Task { [weak self] in
                for await result in Transaction.unfinished { await self?.handOver(result, who: who()) }
                for await result in Transaction.updates { await self?.handOver(result, who: who()) }
            }
        }

        /// Hands over what the store lists for this Apple Account: for "restore purchases".
        public func restore(who: Who) async {
            for await result in Transaction.currentEntitlements { await handOver(result, who: who) }
        }
    }
#endif
