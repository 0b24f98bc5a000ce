/// A value of a flag, or of the context that rules go by.
public enum FlagValue: Sendable, Hashable {
    case boolean(Bool)
    case number(Double)
    case string(String)
    case list([FlagValue])
    case object([String: FlagValue])
    case null
}

extension FlagValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: FlagValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension FlagValue: Codable {
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
        } else if let list = try? container.decode([FlagValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: FlagValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .boolean(let boolean): try container.encode(boolean)
        case .number(let number): try container.encode(number.isFinite ? number : 0)
        case .string(let string): try container.encode(string)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        case .null: try container.encodeNil()
        }
    }
}
