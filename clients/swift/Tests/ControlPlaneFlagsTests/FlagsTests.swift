import Foundation
import XCTest

@testable import ControlPlaneFlags

/// Answers as the test says, in the order of the questions; the last one again and again.
private final class Script: FlagTransport {
    let answers: Guarded<[FlagAnswer]>
    let asked = Guarded<[FlagRequest]>([])

    init(_ answers: [FlagAnswer]) {
        self.answers = Guarded(answers)
    }

    func post(_ request: FlagRequest) async -> FlagAnswer {
        asked { $0.append(request) }
        return answers { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }

    func contexts() -> [[String: FlagValue]] {
        asked { $0 }.compactMap { try? JSONDecoder().decode([String: [String: FlagValue]].self, from: $0.body)["context"] }
    }

    /// Those for one flag.
    func singles() -> [String] {
        asked { $0 }.map(\.url.lastPathComponent).filter { $0 != "flags" }
    }
}

private func answer(_ json: String, etag: String? = nil) -> FlagAnswer {
    FlagAnswer(status: 200, etag: etag, body: Data(json.utf8))
}

private let values = """
    {"flags":[{"key":"on","value":true},{"key":"text","value":"Hi"},{"key":"size","value":2},
    {"key":"rate","value":0.5},{"key":"price","value":{"eur":5,"list":[1,null]}}]}
    """

final class FlagsTests: XCTestCase {
    private func options(_ folder: URL) -> FlagOptions {
        var options = FlagOptions(key: " svf_test ", url: "https://service.example/", person: "person-0001")
        options.directory = folder
        options.refreshInterval = 0
        return options
    }

    private func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        addTeardownBlock { try? FileManager.default.removeItem(at: url) }
        return url
    }

    func testValuesAreThoseOfTheServiceEachOfTheFallbacksType() async throws {
        let script = Script([answer(values)])
        var options = try options(folder())
        options.context = ["platform": "ios"]
        options.defaults = ["old": "x"]
        let flags = Flags(options, transport: script)
        await flags.ready()
        XCTAssertTrue(flags.flag("on", false))
        XCTAssertEqual(flags.flag("text", ""), "Hi")
        XCTAssertEqual(flags.flag("size", 0), 2)
        XCTAssertEqual(flags.flag("rate", 0.0), 0.5)
        XCTAssertEqual(flags.flag("rate", 7), 7)
        XCTAssertEqual(flags.flag("price", [:]), ["eur": 5, "list": [1, nil]])
        XCTAssertEqual(flags.flag("size", "medium"), "medium")
        XCTAssertEqual(flags.flag("old", ""), "x")
        XCTAssertEqual(flags.flag("old", 5), 5)
        XCTAssertEqual(flags.flag("unknown", "mine"), "mine")
        let first = try XCTUnwrap(script.asked { $0 }.first)
        XCTAssertEqual(first.url.absoluteString, "https://service.example/v1/ofrep/v1/evaluate/flags")
        XCTAssertEqual(first.key, "svf_test")
        XCTAssertEqual(
            script.contexts().first, ["platform": "ios", "targetingKey": "person-0001", "flagsRead": []])
    }

    func testTheLastAnswerIsKeptForItsPersonOnly() async throws {
        let folder = try folder()
        await Flags(options(folder), transport: Script([answer(values)])).ready()
        let down = FlagAnswer(status: 503)
        let later = Flags(options(folder), transport: Script([down]))
        XCTAssertEqual(later.flag("text", ""), "Hi")
        await later.ready()
        XCTAssertEqual(later.flag("text", ""), "Hi")
        await later.use(person: "person-0002")
        XCTAssertEqual(later.flag("text", "mine"), "mine")
    }

    func testWhatWasReadIsSaidOnceAndTheEtagGoesAlong() async throws {
        let script = Script([answer(values, etag: "\"1\""), FlagAnswer(status: 304)])
        let flags = Flags(try options(folder()), transport: script)
        await flags.ready()
        _ = flags.flag("text", "")
        let (second, third) = (await flags.refresh(), await flags.refresh())
        XCTAssertTrue(second && third)
        XCTAssertEqual(script.asked { $0 }.map(\.etag), [nil, "\"1\"", "\"1\""])
        XCTAssertEqual(script.contexts().map { $0["flagsRead"] }, [[], ["text"], []])
        XCTAssertEqual(flags.flag("text", ""), "Hi")
    }

    func testAnArmThatIsShownIsSaidOnceForEachPerson() async throws {
        let arm = #"{"flags":[{"key":"text","value":"a","metadata":{"experiment":"exp_1","arm":"arm_1"}}]}"#
        let script = Script([answer(arm)])
        let flags = Flags(try options(folder()), transport: script)
        await flags.ready()
        XCTAssertEqual(flags.flag("text", 5), 5)
        XCTAssertEqual(script.singles(), [])
        for _ in 0..<3 { XCTAssertEqual(flags.flag("text", ""), "a") }
        while script.singles().isEmpty { await Task.yield() }
        await flags.use(person: "person-0002")
        XCTAssertEqual(flags.flag("text", ""), "a")
        while script.singles().count < 2 { await Task.yield() }
        XCTAssertEqual(script.singles(), ["text", "text"])
    }

    func testAWrongKeyAsksNobodyAndARefusalIsTold() async throws {
        let errors = Guarded<[FlagError]>([])
        let script = Script([FlagAnswer(status: 401, body: Data("no".utf8))])
        var wrong = try options(folder())
        wrong.onError = { error in errors { $0.append(error) } }
        wrong.key = "svp_test"
        await Flags(wrong, transport: script).ready()
        XCTAssertEqual(script.asked { $0 }.count, 0)
        wrong.key = "svf_test"
        await Flags(wrong, transport: script).ready()
        XCTAssertEqual(errors { $0 }.map(\.code), [.invalidOptions, .refused])
        XCTAssertEqual(errors { $0 }.map(\.status), [nil, 401])
    }
}
