import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct FlagRequest: Sendable {
    let url: URL
    let key: String
    let etag: String?
    let body: Data
    let timeout: TimeInterval
}

struct FlagAnswer: Sendable {
    /// HTTP status; 0 when there was no answer.
    let status: Int
    var etag: String?
    var retryAfter: String?
    var body = Data()
    /// Why there was no answer, in the words of the system.
    var failure: String?
}

/// What is outside of the client; tests pass their own.
protocol FlagTransport: Sendable {
    func post(_ request: FlagRequest) async -> FlagAnswer
}

/// Posts by URLSession: no cookies, no cache, no redirects.
final class SystemFlagTransport: NSObject, FlagTransport, URLSessionTaskDelegate {
    func post(_ sent: FlagRequest) async -> FlagAnswer {
        var request = URLRequest(url: sent.url, timeoutInterval: sent.timeout)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.setValue("Bearer \(sent.key)", forHTTPHeaderField: "authorization")
        if let etag = sent.etag { request.setValue(etag, forHTTPHeaderField: "if-none-match") }
        request.httpBody = sent.body
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
                    returning: FlagAnswer(
                        status: answer?.statusCode ?? 0,
                        etag: answer?.value(forHTTPHeaderField: "etag"),
                        retryAfter: answer?.value(forHTTPHeaderField: "retry-after"),
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
