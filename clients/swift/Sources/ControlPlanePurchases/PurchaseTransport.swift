import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PurchaseRequest: Sendable {
    let url: URL
    let key: String
    var etag: String?
    /// Nil to read.
    var body: Data?
    let timeout: TimeInterval
}

struct PurchaseAnswer: Sendable {
    /// HTTP status; 0 when there was no answer.
    let status: Int
    var etag: String?
    var body = Data()
    /// Why there was no answer, in the words of the system.
    var failure: String?
}

/// What is outside of the client; tests pass their own.
protocol PurchaseTransport: Sendable {
    func send(_ request: PurchaseRequest) async -> PurchaseAnswer
}

/// Asks by URLSession: no cookies, no cache, no redirects.
final class SystemPurchaseTransport: NSObject, PurchaseTransport, URLSessionTaskDelegate {
    func send(_ sent: PurchaseRequest) async -> PurchaseAnswer {
        var request = URLRequest(url: sent.url, timeoutInterval: sent.timeout)
        request.setValue(sent.key, forHTTPHeaderField: "x-service-key")
        if let etag = sent.etag { request.setValue(etag, forHTTPHeaderField: "if-none-match") }
        if let body = sent.body {
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "content-type")
            request.httpBody = body
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.timeoutIntervalForResource = sent.timeout
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { body, response, error in
                let answer = response as? HTTPURLResponse
                continuation.resume(
                    returning: PurchaseAnswer(
                        status: answer?.statusCode ?? 0,
                        etag: answer?.value(forHTTPHeaderField: "etag"),
                        body: body ?? Data(),
                        failure: error?.localizedDescription
                    ))
            }
            task.resume()
        }
    }

    // A captive portal redirects; its page is no answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
