// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "ControlPlane",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "ControlPlane", targets: ["ControlPlane"]),
        .library(name: "ControlPlaneFlags", targets: ["ControlPlaneFlags"]),
    ],
    targets: [
        .target(name: "ControlPlane", resources: [.process("PrivacyInfo.xcprivacy")]),
        .target(name: "ControlPlaneFlags"),
        // Not a product: the service's tests kill and restart it.
        .executableTarget(name: "ChaosClient", dependencies: ["ControlPlane"], path: "Tests/ChaosClient"),
        .testTarget(name: "ControlPlaneTests", dependencies: ["ControlPlane"]),
        .testTarget(name: "ControlPlaneFlagsTests", dependencies: ["ControlPlaneFlags"]),
    ],
    swiftLanguageModes: [.v6]
)
