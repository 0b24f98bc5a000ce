import Foundation
import XCTest

@testable import ControlPlane

/// A folder that is gone after the test.
func temporaryFolder(_ test: XCTestCase) -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    test.addTeardownBlock { try? FileManager.default.removeItem(at: url) }
    return url
}

final class BehaviourTests: XCTestCase {
    /// `clients/behaviour`, beside this package unless `BEHAVIOUR` says otherwise.
    private var table: URL {
        if let path = ProcessInfo.processInfo.environment["BEHAVIOUR"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../behaviour").standardizedFileURL
    }

    func testEveryCaseOfTheTable() throws {
        let files = try FileManager.default.contentsOfDirectory(at: table, includingPropertiesForKeys: nil)
        var count = 0
        for file in files where file.pathExtension == "json" {
            let cases = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [Fields] ?? []
            for definition in cases where definition["only"] as? String != "web" {
                try TableCase(definition, directory: directory(for: definition)).run()
                count += 1
            }
        }
        XCTAssertGreaterThan(count, 60, "cases of \(table.path)")
        print("\(count) cases")
    }

    private func directory(for definition: Fields) throws -> URL {
        let folder = temporaryFolder(self)
        guard definition["storage"] as? String == "blocked" else { return folder }
        // A file where the folder should be: nothing can be kept, whoever runs this.
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        return file.appendingPathComponent("folder")
    }
}
