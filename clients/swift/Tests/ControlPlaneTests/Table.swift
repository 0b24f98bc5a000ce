import Foundation
import XCTest

@testable import ControlPlane

typealias Fields = [String: Any]

/// Replaces `$repeat`, `$join`, `$number` and `$many` by what they stand for.
func expand(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(expand) }
    guard let fields = value as? Fields else { return value }
    if let pair = fields["$repeat"] as? [Any], let count = pair[1] as? Int {
        return String(repeating: "\(pair[0])", count: count)
    }
    if let parts = fields["$join"] as? [Any] { return parts.map { "\(expand($0))" }.joined() }
    if let number = fields["$number"] as? String {
        return number == "NaN" ? Double.nan : number == "Infinity" ? Double.infinity : -Double.infinity
    }
    if let pair = fields["$many"] as? [Any], let count = pair[0] as? Int {
        let each = expand(pair[1])
        return Dictionary(uniqueKeysWithValues: (0..<count).map { ("p\($0)", each) })
    }
    return fields.mapValues(expand)
}

func propertyValue(_ value: Any) -> PropertyValue? {
    if value is NSNull { return .null }
    if let text = value as? String { return .string(text) }
    if let number = value as? Double, !number.isFinite { return .number(number) }
    guard let number = value as? NSNumber else { return nil }
    if String(cString: number.objCType) == "c" { return .boolean(number.boolValue) }
    return Double(number.intValue) == number.doubleValue ? .integer(number.intValue) : .number(number.doubleValue)
}

/// Runs the steps of one case of `clients/behaviour` against a client.
/// `@unchecked Sendable`: the tests use one thread.
final class TableCase: @unchecked Sendable {
    let world = World()
    private let definition: Fields
    private let directory: URL
    private var client: EventClient
    private var errors: [ClientError] = []
    /// What the server said with each error.
    private var messages: [String] = []
    private var reasons: [ServerReason?] = []
    private var seen = 0
    private var names: [String: String] = [:]
    private var label: String { definition["name"] as? String ?? "" }

    init(_ definition: Fields, directory: URL) {
        self.definition = definition
        self.directory = directory
        world.randomNumber = (definition["random"] as? NSNumber)?.doubleValue ?? 1
        client = EventClient(environment: world)
    }

    func run() throws {
        try perform(definition["steps"] as? [Fields] ?? [])
    }

    private func perform(_ steps: [Fields]) throws {
        for step in steps {
            if let count = step["repeat"] as? Int, let inner = step["steps"] as? [Fields] {
                for _ in 0..<count { try perform(inner) }
            } else {
                try act(step)
            }
        }
    }

    private func act(_ step: Fields) throws {
        let actions = [
            "start", "track", "screen", "identify", "reset", "flush", "optOut", "optIn", "hide", "kill",
            "advance", "jump", "answers", "stall", "resume", "release", "expect",
        ]
        let action = try XCTUnwrap(actions.first { step[$0] != nil }, "no such step: \(step)")
        let input = expand(step[action] as Any)
        switch action {
        case "start": start(input as? Fields ?? [:])
        case "track":
            let props = (expand(step["props"] ?? Fields()) as? Fields ?? [:]).compactMapValues(propertyValue)
            for _ in 0..<(step["times"] as? Int ?? 1) { client.track(input as? String ?? "", props) }
        case "screen": client.screen(input as? String ?? "")
        case "identify": client.identify(input as? String)
        case "reset": client.reset()
        case "flush": client.flush()
        case "optOut": client.optOut()
        case "optIn": client.optIn()
        case "hide": world.hide()
        case "kill": kill()
        case "advance": world.advance((input as? NSNumber)?.int64Value ?? 0)
        case "jump": world.jump((input as? NSNumber)?.int64Value ?? 0)
        case "answers": script(input as? [Any] ?? [])
        case "stall": world.isStopped = true
        case "resume": world.resume()
        case "release": world.release()
        default: try check(input as? Fields ?? [:])
        }
    }

    private func start(_ given: Fields) {
        // A page may make a second client; an app has to be a new process for that.
        if client.isStarted { kill() }
        var options = Options(key: given["key"] as? String ?? "svp_test", url: given["url"] as? String ?? "https://service.example")
        options.platform = given["platform"] as? String ?? options.platform
        options.appVersion = given["appVersion"] as? String
        options.osVersion = given["osVersion"] as? String
        options.locale = given["locale"] as? String
        options.country = given["country"] as? String
        if let interval = given["flushIntervalMs"] as? NSNumber { options.flushInterval = interval.doubleValue / 1000 }
        if let size = given["batchSize"] as? Int { options.batchSize = size }
        options.directory = directory
        options.debug = given["debug"] as? Bool ?? false
        if given["listens"] as? Bool ?? true {
            options.onError = { [weak self] error in
                self?.errors.append(error)
                self?.messages.append(error.message)
                self?.reasons.append(error.server)
            }
        }
        client.start(options)
    }

    private func kill() {
        world.kill()
        client = EventClient(environment: world)
    }

    private func script(_ answers: [Any]) {
        world.answers = []
        world.repeated = nil
        for answer in answers {
            if let always = (answer as? Fields)?["always"] {
                world.repeated = scripted(always)
            } else {
                world.answers.append(scripted(answer))
            }
        }
    }

    private func scripted(_ answer: Any) -> ScriptedAnswer {
        if let word = answer as? String { return word == "hold" ? .hold : .cut }
        if let status = answer as? Int { return .answer(status: status, retryAfter: nil) }
        let fields = answer as? Fields
        return .answer(
            status: fields?["status"] as? Int ?? 0, retryAfter: fields?["retryAfter"] as? String,
            body: fields?["body"] as? String)
    }

    private func check(_ wanted: Fields) throws {
        if let requests = wanted["requests"] as? [Fields] {
            let fresh = Array(world.requests.dropFirst(seen))
            XCTAssertEqual(fresh.count, requests.count, "\(label): requests \(fresh.map(\.events.count))")
            for (sent, each) in zip(fresh, requests) { try check(sent, each) }
            seen += fresh.count
        }
        if let codes = wanted["errors"] as? [String] {
            XCTAssertEqual(errors.map(\.code.rawValue), codes, label)
            errors = []
        }
        if let wanted = wanted["reasons"] as? [Any] {
            let expected = wanted.map { each in
                (each as? Fields).map { [$0["code"], $0["message"], $0["hint"]].map { $0 as? String } }
            }
            XCTAssertEqual(reasons.map { reason in reason.map { [$0.code, $0.message, $0.hint] } }, expected, label)
            reasons = []
        }
        checkAll(&messages, wanted["messages"], "messages")
        checkAll(&world.lines, wanted["lines"], "lines")
        checkAll(&world.warnings, wanted["warnings"], "warnings")
        if let queued = wanted["queued"] as? Int { XCTAssertEqual(client.queuedCount, queued, "\(label): queued") }
    }

    private func checkAll(_ actual: inout [String], _ wanted: Any?, _ place: String) {
        guard let wanted = wanted as? [Any] else { return }
        XCTAssertEqual(actual.count, wanted.count, "\(label): \(place) \(actual)")
        for (index, (line, each)) in zip(actual, wanted).enumerated() { check(line, each, "\(label): \(place) \(index)") }
        actual = []
    }

    private func check(_ sent: SentRequest, _ wanted: Fields) throws {
        if let url = wanted["url"] as? String { XCTAssertEqual(sent.request.endpoint.absoluteString, url, label) }
        if let key = wanted["key"] as? String { XCTAssertEqual(sent.request.key, key, label) }
        if let count = wanted["count"] as? Int { XCTAssertEqual(sent.events.count, count, label) }
        if let names = wanted["names"] as? [String] {
            XCTAssertEqual(sent.events.map { $0["name"] as? String }, names, label)
        }
        if let limit = wanted["maxBytes"] as? Int { XCTAssertLessThan(sent.request.body.count, limit, label) }
        for (index, each) in (wanted["events"] as? [Fields] ?? []).enumerated() {
            let event = try XCTUnwrap(sent.events.dropFirst(index).first, "\(label): event \(index)")
            check(event, each, "event \(index)")
        }
        check(sent.body["context"] as? Fields ?? [:], wanted["context"] as? Fields ?? [:], "context")
    }

    private func check(_ actual: Fields, _ wanted: Fields, _ place: String) {
        for (name, each) in wanted { check(actual[name], each, "\(label): \(place).\(name)") }
    }

    private func check(_ actual: Any?, _ wanted: Any, _ place: String) {
        guard let fields = wanted as? Fields else {
            return XCTAssertEqual(actual as? NSObject, wanted as? NSObject, place)
        }
        if fields["$absent"] != nil { return XCTAssertNil(actual, place) }
        if let pattern = fields["$matches"] as? String {
            let found = (actual as? String)?.range(of: pattern, options: .regularExpression)
            return XCTAssertNotNil(found, place)
        }
        if let name = fields["$not"] as? String {
            XCTAssertNotNil(actual as? String, place)
            return XCTAssertNotEqual(actual as? String, names[name], place)
        }
        if let name = fields["$as"] as? String {
            XCTAssertNotNil(actual as? String, place)
            if names[name] == nil { names[name] = actual as? String }
            return XCTAssertEqual(actual as? String, names[name], place)
        }
        check(actual as? Fields ?? [:], fields, place)
    }
}
