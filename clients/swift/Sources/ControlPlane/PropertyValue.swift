/// What a property of an event holds. Values are taken as they are: see `PropertyConvertible`.
public enum PropertyValue: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case null

    /// Strings cut at 500 code points, numbers that are not finite as 0.
    var cleaned: PropertyValue {
        switch self {
        case .string(let text): return .string(text.cut(to: 500))
        case .number(let number) where !number.isFinite: return .integer(0)
        default: return self
        }
    }
}

extension PropertyValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(nilLiteral: ()) { self = .null }
}

extension PropertyValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .boolean(let boolean): try container.encode(boolean)
        case .null: try container.encodeNil()
        }
    }
}
