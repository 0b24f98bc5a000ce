import Foundation
import XCTest

@testable import ControlPlane

private enum Plan: String, PropertyConvertible { case monthly, yearly }
private enum Level: Int, PropertyConvertible { case low = 1 }

final class PropertyTests: XCTestCase {
    func testValuesAreTakenAsTheyAre() throws {
        let fixture = Fixture(self)
        let client = fixture.launch()
        let (plan, count, price, trial) = ("yearly", 3, 29.5, true)
        let coupon: String? = nil
        let source: String? = "push"
        let ratio: Float = 0.5
        client.track("a", ["plan": plan])
        client.track("a", ["title": "Hello \(count)"])
        client.track("a", ["price": price])
        client.track("a", ["s": coupon])
        client.track(
            "values",
            [
                "plan": plan, "title": "Hello \(count)", "count": count, "price": price, "trial": trial,
                "coupon": coupon, "source": source, "chosen": Plan.yearly, "level": Level.low,
                "maybe": Optional(Plan.monthly), "cost": Decimal(string: "4.99"), "ratio": ratio,
                "part": plan.prefix(4), "big": UInt64.max, "literal": "x", "nothing": nil, "not": Double.nan,
            ])
        client.track("literals", ["plan": "yearly", "price": 29.5, "count": 3, "trial": true, "none": nil])
        client.track("explicit", ["plan": .string(plan), "count": .integer(count), "none": .null])
        let props: [String: PropertyValue] = ["title": "Hello \(count)"]
        client.track("given", props)
        client.flush()
        let events = fixture.world.requests.flatMap(\.events)
        func sent(_ name: String) throws -> NSDictionary {
            let event = try XCTUnwrap(events.first { $0["name"] as? String == name })
            return try XCTUnwrap(event["props"] as? NSDictionary)
        }
        XCTAssertEqual(
            try sent("values"),
            [
                "plan": "yearly", "title": "Hello 3", "count": 3, "price": 29.5, "trial": true,
                "coupon": NSNull(), "source": "push", "chosen": "yearly", "level": 1, "maybe": "monthly",
                "cost": 4.99, "ratio": 0.5, "part": "year", "big": 1.8446744073709552e19, "literal": "x",
                "nothing": NSNull(), "not": 0,
            ])
        let literals: NSDictionary = ["plan": "yearly", "price": 29.5, "count": 3, "trial": true, "none": NSNull()]
        XCTAssertEqual(try sent("literals"), literals)
        XCTAssertEqual(try sent("explicit"), ["plan": "yearly", "count": 3, "none": NSNull()])
        XCTAssertEqual(try sent("given"), ["title": "Hello 3"])
    }

    func testTheFirstLaunchIsOnePersonHoweverEarlyItIsKilled() {
        let fixture = Fixture(self)
        fixture.world.isStopped = true
        let first = fixture.launch().anonymousId
        fixture.world.isStopped = false
        XCTAssertNotNil(first)
        XCTAssertEqual(fixture.launch().anonymousId, first)
    }
}
