// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "ControlPlane",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "ControlPlane", targets: ["ControlPlane"])],
    targets: [
        .target(name: "ControlPlane", resources: [.process("PrivacyInfo.xcprivacy")]),
        // Not a product: the service's tests kill and restart it.
        .executableTarget(name: "ChaosClient", dependencies: ["ControlPlane"], path: "Tests/ChaosClient"),
        .testTarget(name: "ControlPlaneTests", dependencies: ["ControlPlane"]),
    ],
    swiftLanguageModes: [.v6]
)
