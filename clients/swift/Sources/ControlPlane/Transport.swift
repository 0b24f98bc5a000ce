import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts batches by URLSession: no cookies, no cache, no redirects.
final class Transport: NSObject, URLSessionTaskDelegate {
    private static let timeout: TimeInterval = 30
    private let queue: DispatchQueue
    private let session: Locked<URLSession?> = Locked(nil)

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    func post(_ batch: BatchRequest, done: @escaping @Sendable (Outcome) -> Void) -> Cancel {
        var request = URLRequest(url: batch.endpoint, timeoutInterval: Self.timeout)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.setValue(batch.key, forHTTPHeaderField: "x-service-key")
        request.httpBody = batch.body
        let queue = queue
        let task = openSession().dataTask(with: request) { body, response, error in
            let answer = response as? HTTPURLResponse
            let outcome = Outcome(
                status: answer?.statusCode ?? 0,
                retryAfter: answer?.value(forHTTPHeaderField: "retry-after"),
                server: (answer?.statusCode ?? 0) < 400 ? nil : ServerReason(body),
                failure: (error as NSError?).map { "\($0.localizedDescription) (\($0.domain) \($0.code))".cut(to: 500) }
            )
            queue.async { done(outcome) }
        }
        task.resume()
        return { task.cancel() }
    }

    private func openSession() -> URLSession {
        session { known in
            if let known { return known }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.timeoutIntervalForRequest = Self.timeout
            configuration.timeoutIntervalForResource = Self.timeout
            let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            known = made
            return made
        }
    }

    // A captive portal redirects; its page must not count as delivery.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
