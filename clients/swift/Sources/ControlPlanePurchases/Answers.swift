import Foundation

/// What a person may use. Newer releases of the service may know further values of `status`.
public struct Entitlement: Codable, Sendable, Equatable {
    public let entitled: Bool
    public let status: String
    public let productId: String?
    public let expiresAt: String?
    /// Seconds since the service said so; 0 for an answer of now.
    public internal(set) var age: TimeInterval = 0

    private enum CodingKeys: String, CodingKey { case entitled, status, productId, expiresAt }
}

/// The answer to a transaction: its entitlement, and one for each name of the app.
struct HandedOver: Decodable {
    struct Named: Decodable {
        let name: String
        let status: String
        let productId: String?
        let expiresAt: String?

        var entitlement: Entitlement {
            let entitled = status == "active" || status == "billing_grace"
            return Entitlement(entitled: entitled, status: status, productId: productId, expiresAt: expiresAt)
        }
    }

    let entitlement: Entitlement
    let named: [Named]

    private enum CodingKeys: String, CodingKey { case entitlements }

    init(from decoder: any Decoder) throws {
        entitlement = try Entitlement(from: decoder)
        named = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([Named].self, forKey: .entitlements) ?? []
    }
}

/// One thing to buy: products that are the same in different stores or lengths.
public struct OfferingPackage: Codable, Sendable, Equatable {
    public let identifier: String
    public let productIds: [String]
    /// JSON of the app's own.
    public let metadata: JSONValue?
}

/// What a paywall shows.
public struct Offering: Codable, Sendable, Equatable {
    public let identifier: String
    public let name: String
    public let packages: [OfferingPackage]
    /// JSON of the app's own.
    public let metadata: JSONValue?
}

public struct Offerings: Codable, Sendable, Equatable {
    /// The flag that chose the current offering.
    public struct Choice: Codable, Sendable, Equatable {
        public let flag: String
        public let variant: String
        public let reason: String
    }

    /// Of the offering to show.
    private let currentIdentifier: String?
    public let all: [Offering]
    /// Nil for the default.
    public let chosenBy: Choice?
    /// Seconds since the service said so; 0 for an answer of now.
    public internal(set) var age: TimeInterval = 0

    /// The one to show; nil where the app has none.
    public var current: Offering? { all.first { $0.identifier == currentIdentifier } }

    private enum CodingKeys: String, CodingKey {
        case chosenBy
        case currentIdentifier = "current"
        case all = "offerings"
    }
}

public enum JSONValue: Codable, Sendable, Equatable {
    case boolean(Bool)
    case number(Double)
    case string(String)
    case list([JSONValue])
    case object([String: JSONValue])
    case null

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .boolean(let boolean): try container.encode(boolean)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        case .null: try container.encodeNil()
        }
    }
}
