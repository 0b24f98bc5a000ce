import Foundation

/// Why the service did not take a batch, as its answer says.
public struct ServerReason: Sendable, Equatable {
    public let code: String
    public let message: String
    /// What can be done about it.
    public let hint: String?
}

extension ServerReason {
    private struct Answer: Decodable {
        struct Reason: Decodable {
            let code: String
            let message: String
            let hint: String?

            private enum Field: CodingKey { case code, message, hint }

            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: Field.self)
                code = try fields.decode(String.self, forKey: .code)
                message = try fields.decode(String.self, forKey: .message)
                hint = try? fields.decode(String.self, forKey: .hint)
            }
        }

        let error: Reason
    }

    /// Nil when the body is no error of the service: a proxy's page, or nothing.
    init?(_ body: Data?) {
        guard let body, let error = try? JSONDecoder().decode(Answer.self, from: body).error,
            !error.code.isEmpty, !error.message.isEmpty
        else { return nil }
        code = error.code.cut(to: 500)
        message = error.message.cut(to: 500)
        hint = error.hint.flatMap { $0.isEmpty ? nil : $0.cut(to: 500) }
    }

    var words: [String] { [code, message] + (hint.map { [$0] } ?? []) }
}
