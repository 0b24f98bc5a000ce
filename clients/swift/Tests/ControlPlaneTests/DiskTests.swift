import Foundation
import XCTest

@testable import ControlPlane

/// A client over a scripted world and a real folder.
struct Fixture {
    let world = World()
    let folder: URL
    let errors = Locked<[ClientError]>([])

    init(_ test: XCTestCase) {
        folder = temporaryFolder(test)
    }

    func launch(batchSize: Int = 20) -> EventClient {
        world.kill()
        let client = EventClient(environment: world)
        var options = Options(key: "svp_test", url: "https://service.example")
        options.directory = folder
        options.batchSize = batchSize
        options.onError = { [errors] error in errors { $0.append(error) } }
        client.start(options)
        return client
    }

    var files: [URL] {
        let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (all ?? []).filter { $0.pathExtension == "events" }.sorted { $0.path < $1.path }
    }

    var bytes: Int { files.reduce(0) { $0 + ((try? Data(contentsOf: $1).count) ?? 0) } }
    var sentNames: [String] { world.requests.flatMap { $0.events.compactMap { $0["name"] as? String } } }
    var sentIds: [String] { world.requests.flatMap { $0.events.compactMap { $0["id"] as? String } } }
}

final class DiskTests: XCTestCase {
    func testAnEventIsOnDiskWhenTrackReturns() throws {
        let fixture = Fixture(self)
        fixture.launch().track("app_opened", ["emoji": "👩‍👩‍👧"])
        let line = String(decoding: try Data(contentsOf: try XCTUnwrap(fixture.files.first)), as: UTF8.self)
        XCTAssertTrue(line.hasSuffix("}\n"))
        XCTAssertTrue(line.contains("👩‍👩‍👧"))
    }

    func testTheAnonymousIdIsTheOneOfTheEvents() {
        let fixture = Fixture(self)
        XCTAssertNil(EventClient(environment: fixture.world).anonymousId)
        let client = fixture.launch()
        client.track("app_opened")
        client.flush()
        XCTAssertEqual(fixture.world.requests.first?.events.first?["anonymousId"] as? String, client.anonymousId)
        client.optOut()
        XCTAssertNil(client.anonymousId)
    }

    func testALineCutShortByACrashIsSkippedAndTheRestIsSent() throws {
        let fixture = Fixture(self)
        let first = fixture.launch()
        first.track("first")
        first.track("second")
        let file = try XCTUnwrap(fixture.files.first)
        var data = try Data(contentsOf: file)
        data.append(Data(#"{"id":"broken","na"#.utf8))
        try data.write(to: file)
        let second = fixture.launch()
        second.track("third")
        second.flush()
        XCTAssertEqual(fixture.sentNames, ["first", "second", "third"])
    }

    func testWhatWasDeliveredFromTheMiddleOfAQueueIsNotSentAfterACrash() {
        let fixture = Fixture(self)
        fixture.world.answers = [.answer(status: 202, retryAfter: nil), .cut]
        let first = fixture.launch(batchSize: 2)
        for name in ["a", "b", "c"] { first.track(name) }
        first.flush()
        XCTAssertEqual(fixture.sentNames, ["a", "b", "c"])
        fixture.launch().flush()
        XCTAssertEqual(fixture.sentNames, ["a", "b", "c", "c"])
    }

    func testADeliveredQueueLeavesNoBytes() {
        let fixture = Fixture(self)
        let client = fixture.launch()
        for _ in 0..<50 { client.track("app_opened") }
        XCTAssertGreaterThan(fixture.bytes, 1_000)
        client.flush()
        XCTAssertEqual(fixture.bytes, 0)
    }

    func testTheFilesStayBoundedHoweverMuchIsTrackedWithoutNetwork() {
        let fixture = Fixture(self)
        fixture.world.repeated = .cut
        let client = fixture.launch()
        let text = PropertyValue.string(String(repeating: "x", count: 400))
        for _ in 0..<5_000 { client.track("app_opened", ["text": text]) }
        XCTAssertEqual(client.queuedCount, EventClient.queueLimit)
        XCTAssertLessThan(fixture.bytes, 1_500_000)
        fixture.world.repeated = nil
        fixture.launch().flush()
        XCTAssertEqual(Set(fixture.sentIds.suffix(500)).count, 500)
    }

    func testManyLaunchesWithoutNetworkLeaveFewFiles() {
        let fixture = Fixture(self)
        fixture.world.repeated = .cut
        for _ in 0..<60 { fixture.launch().track("app_opened") }
        XCTAssertLessThan(fixture.files.count, 14)
        fixture.world.repeated = nil
        let client = fixture.launch(batchSize: 100)
        fixture.world.requests = []
        client.flush()
        XCTAssertEqual(Set(fixture.sentIds).count, 60)
        XCTAssertEqual(fixture.sentIds.count, 60)
    }

    func testACompactionInterruptedBeforeItRemovedFilesCountsNothingTwice() throws {
        let fixture = Fixture(self)
        let client = fixture.launch()
        client.track("first")
        let file = try XCTUnwrap(fixture.files.first)
        try FileManager.default.copyItem(at: file, to: fixture.folder.appendingPathComponent("2.events"))
        fixture.launch().flush()
        XCTAssertEqual(fixture.sentNames, ["first"])
    }

    func testAnIdentityThatCannotBeReadNowIsNotReplaced() throws {
        let fixture = Fixture(self)
        let file = fixture.folder.appendingPathComponent("identity.json")
        // A folder in its place fails to be read, as a protected file does before the first unlock.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let client = fixture.launch()
        client.track("app_opened")
        client.flush()
        var isDirectory: ObjCBool = false
        XCTAssertTrue(FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory))
        XCTAssertTrue(isDirectory.boolValue)
        XCTAssertEqual(fixture.sentNames, ["app_opened"])
        XCTAssertEqual(fixture.errors { $0.map(\.code) }, [.storageUnavailable])
    }

    func testABrokenIdentityIsReplaced() throws {
        let fixture = Fixture(self)
        try Data("{\"anonymousId\":\"short\"}".utf8).write(to: fixture.folder.appendingPathComponent("identity.json"))
        let client = fixture.launch()
        client.track("app_opened")
        client.flush()
        let anonymousId = fixture.world.requests.first?.events.first?["anonymousId"] as? String
        XCTAssertGreaterThanOrEqual(anonymousId?.count ?? 0, 8)
    }

    func testOptOutLeavesNeitherEventsNorIds() throws {
        let fixture = Fixture(self)
        let client = fixture.launch()
        client.identify("user-1")
        client.track("app_opened")
        client.optOut()
        XCTAssertEqual(fixture.bytes, 0)
        let identity = try String(contentsOf: fixture.folder.appendingPathComponent("identity.json"), encoding: .utf8)
        XCTAssertFalse(identity.contains("user-1"))
        XCTAssertTrue(identity.contains("\"anonymousId\":\"\""))
    }

    #if os(Linux)
        func testAFullDiskSpoilsNoOtherEvent() {
            let fixture = Fixture(self)
            signal(SIGXFSZ, SIG_IGN)
            let client = fixture.launch()
            client.track("before")
            let room = rlim_t(fixture.bytes + 40)
            var limit = rlimit(rlim_cur: room, rlim_max: rlim_t.max)
            setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit)
            client.track("torn")
            client.track("lost")
            limit.rlim_cur = rlim_t.max
            setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit)
            client.track("after")
            XCTAssertEqual(fixture.errors { $0.map(\.code) }, [.storageUnavailable, .storageUnavailable])
            XCTAssertEqual(client.queuedCount, 4)
            let relaunched = fixture.launch()
            relaunched.flush()
            XCTAssertEqual(fixture.sentNames, ["before", "after"])
        }
    #endif
}
