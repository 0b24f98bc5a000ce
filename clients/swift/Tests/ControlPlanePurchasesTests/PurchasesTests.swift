import Foundation
import StoreKit
import XCTest

@testable import ControlPlanePurchases

/// Answers as the test says, in the order of the questions; the last one again and again.
private actor Script: PurchaseTransport {
    private var answers: [PurchaseAnswer]
    private(set) var asked: [PurchaseRequest] = []

    init(_ answers: [PurchaseAnswer]) { self.answers = answers }

    func send(_ request: PurchaseRequest) async -> PurchaseAnswer {
        asked.append(request)
        return answers.count > 1 ? answers.removeFirst() : answers[0]
    }

    func bodies() -> [[String: String]] {
        asked.compactMap { $0.body.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } }
    }
}

private final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var date = Date(timeIntervalSince1970: 1_800_000_000)

    func now() -> Date { lock.withLock { date } }
    func advance(_ seconds: TimeInterval) { lock.withLock { date += seconds } }
}

private func answer(_ json: String, etag: String? = nil) -> PurchaseAnswer {
    PurchaseAnswer(status: 200, etag: etag, body: Data(json.utf8))
}

private let pro = #"{"entitled":true,"status":"active","productId":"pro.yearly","expiresAt":null}"#
private let down = PurchaseAnswer(status: 503)
private let portal = answer("a captive portal")
private let offerings = """
    {"current":"spring","offerings":[{"identifier":"spring","name":"Spring","metadata":{"title":"Hi","n":[1,null]},
    "packages":[{"identifier":"yearly","productIds":["pro.yearly"]}]},{"identifier":"plain","name":"Plain",
    "packages":[]}],"chosenBy":{"flag":"offer","variant":"spring","reason":"SPLIT"}}
    """

final class PurchasesTests: XCTestCase {
    private let clock = Clock()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let someone = Who(userId: "user+1", anonymousId: "anon-0001")

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func open(_ script: Script, key: String = " svp_test ", url: String = "https://service.example/") -> Purchases {
        var options = PurchaseOptions(key: key, url: url)
        options.directory = folder
        options.longestAge = 3_600
        return Purchases(options, transport: script, now: clock.now)
    }

    func testAnAnswerIsKeptForItsPersonAndForATime() async throws {
        let script = Script([answer(pro), down, portal, down])
        let purchases = open(script)
        let first = await purchases.named("pro", who: someone)
        XCTAssertEqual(first?.entitled, true)
        XCTAssertEqual(first?.age, 0)
        let asked = await script.asked[0]
        XCTAssertEqual(asked.url.query, "anonymousId=anon-0001&entitlement=pro&userId=user%2B1")
        XCTAssertEqual(asked.url.path, "/v1/purchases/entitlement")
        XCTAssertEqual(asked.key, "svp_test")
        clock.advance(3_600)
        for _ in 0..<2 {
            let later = await open(script).named("pro", who: someone)
            XCTAssertEqual(later?.productId, "pro.yearly")
            XCTAssertEqual(later?.age, 3_600)
        }
        let other = await purchases.named("pro", who: Who(userId: "user-2", anonymousId: "anon-0001"))
        XCTAssertNil(other)
        let another = await purchases.named("plus", who: someone)
        XCTAssertNil(another)
        clock.advance(1)
        let late = await purchases.named("pro", who: someone)
        XCTAssertNil(late)
    }

    func testAHandedOverTransactionIsKnownByName() async throws {
        let names = #","entitlements":[{"name":"pro","status":"billing_grace","productId":"p","expiresAt":null}]}"#
        let script = Script([answer(String(pro.dropLast()) + names), down])
        let purchases = open(script)
        let taken = await purchases.handOver("jws", who: someone)
        XCTAssertEqual(taken?.status, "active")
        let bodies = await script.bodies()
        XCTAssertEqual(bodies, [["signedTransaction": "jws", "userId": "user+1", "anonymousId": "anon-0001"]])
        let known = await purchases.named("pro", who: someone)
        XCTAssertEqual(known?.status, "billing_grace")
        XCTAssertEqual(known?.entitled, true)
        let refused = await purchases.handOver("jws", who: someone)
        XCTAssertNil(refused)
        await purchases.forget()
        let forgotten = await purchases.named("pro", who: someone)
        XCTAssertNil(forgotten)
    }

    func testOfferingsAreAskedForByTheirETagAndKeptForATime() async throws {
        let script = Script([answer(offerings, etag: "\"one\""), PurchaseAnswer(status: 304), down])
        let purchases = open(script)
        let context = ["platform": "ios"]
        let first = await purchases.offerings(who: someone, context: context)
        XCTAssertEqual(first?.current?.packages.first?.productIds, ["pro.yearly"])
        XCTAssertEqual(first?.current?.metadata, .object(["title": .string("Hi"), "n": .list([.number(1), .null])]))
        XCTAssertEqual(first?.all.count, 2)
        XCTAssertEqual(first?.chosenBy?.variant, "spring")
        clock.advance(10)
        let same = await purchases.offerings(who: someone, context: context, isShown: true)
        XCTAssertEqual(same, first)
        let asked = await script.asked
        XCTAssertEqual(asked.map(\.etag), [nil, "\"one\""])
        XCTAssertEqual(asked.map(\.url.query), ["anonymousId=anon-0001&platform=ios", "anonymousId=anon-0001&platform=ios&shown=true"])
        clock.advance(5)
        let offline = await purchases.offerings(who: someone, context: context)
        XCTAssertEqual(offline?.age, 5)
        XCTAssertEqual(offline?.current?.name, "Spring")
        let elsewhere = await purchases.offerings(who: someone)
        XCTAssertNil(elsewhere)
    }

    func testAWrongKeyOrAddressAsksNobody() async throws {
        let script = Script([answer(pro)])
        for purchases in [open(script, key: "svk_test"), open(script, url: "https://service.example/v1")] {
            let answer = await purchases.named("pro", who: someone)
            XCTAssertNil(answer)
        }
        let asked = await script.asked
        XCTAssertEqual(asked.count, 0)
    }

    func testTransactionsOfTheStoreAreFinishedOnceTheServiceHasThem() async throws {
        let script = Script([answer(pro), down, answer(pro), answer(pro)])
        let purchases = open(script)
        let someone = someone
        Store.shared.set(.unfinished, verified: [1, 2])
        Store.shared.set(.updates, verified: [3], unverified: [4])
        await purchases.listen { someone }.value
        XCTAssertEqual(Store.shared.finishedIds, [1, 3])
        let bodies = await script.bodies()
        XCTAssertEqual(bodies.map { $0["signedTransaction"] }, ["jws-1", "jws-2", "jws-3", "jws-4"])
        Store.shared.set(.current, verified: [5])
        await purchases.restore(who: someone)
        XCTAssertEqual(Store.shared.finishedIds, [5])
    }
}
