import Foundation

/// What can be a property of an event as it is: strings, numbers, booleans, and optionals of them.
/// An enumeration with raw values says that it is one: `enum Plan: String, PropertyConvertible`.
public protocol PropertyConvertible: Sendable {
    var propertyValue: PropertyValue { get }
}

extension PropertyConvertible where Self: RawRepresentable, RawValue: PropertyConvertible {
    public var propertyValue: PropertyValue { rawValue.propertyValue }
}

extension PropertyConvertible where Self: BinaryInteger {
    public var propertyValue: PropertyValue { Int(exactly: self).map(PropertyValue.integer) ?? .number(Double(self)) }
}

extension PropertyConvertible where Self: StringProtocol {
    public var propertyValue: PropertyValue { .string(String(self)) }
}

extension PropertyValue: PropertyConvertible {
    public var propertyValue: PropertyValue { self }
}

extension String: PropertyConvertible {}
extension Substring: PropertyConvertible {}
extension Int: PropertyConvertible {}
extension Int8: PropertyConvertible {}
extension Int16: PropertyConvertible {}
extension Int32: PropertyConvertible {}
extension Int64: PropertyConvertible {}
extension UInt: PropertyConvertible {}
extension UInt8: PropertyConvertible {}
extension UInt16: PropertyConvertible {}
extension UInt32: PropertyConvertible {}
extension UInt64: PropertyConvertible {}

extension Double: PropertyConvertible {
    public var propertyValue: PropertyValue { .number(self) }
}

extension Float: PropertyConvertible {
    public var propertyValue: PropertyValue { .number(Double(self)) }
}

extension CGFloat: PropertyConvertible {
    public var propertyValue: PropertyValue { .number(Double(self)) }
}

extension Decimal: PropertyConvertible {
    public var propertyValue: PropertyValue { .number(NSDecimalNumber(decimal: self).doubleValue) }
}

extension Bool: PropertyConvertible {
    public var propertyValue: PropertyValue { .boolean(self) }
}

extension Optional: PropertyConvertible where Wrapped: PropertyConvertible {
    public var propertyValue: PropertyValue { self?.propertyValue ?? .null }
}
