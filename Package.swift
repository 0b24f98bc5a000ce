// swift-tools-version: 6.0
import PackageDescription

// What SwiftPM resolves from the address of this repository. The client's own manifest, with its tests,
// is in clients/swift.
let package = Package(
    name: "ControlPlane",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "ControlPlane", targets: ["ControlPlane"]),
        .library(name: "ControlPlaneFlags", targets: ["ControlPlaneFlags"]),
        .library(name: "ControlPlanePurchases", targets: ["ControlPlanePurchases"]),
    ],
    targets: [
        .target(
            name: "ControlPlane", path: "clients/swift/Sources/ControlPlane",
            resources: [.process("PrivacyInfo.xcprivacy")]),
        .target(name: "ControlPlaneFlags", path: "clients/swift/Sources/ControlPlaneFlags"),
        .target(name: "ControlPlanePurchases", path: "clients/swift/Sources/ControlPlanePurchases"),
    ],
    swiftLanguageModes: [.v6]
)
