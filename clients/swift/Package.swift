// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "ControlPlane",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "ControlPlane", targets: ["ControlPlane"])],
    targets: [
        .target(name: "ControlPlane"),
        .testTarget(name: "ControlPlaneTests", dependencies: ["ControlPlane"]),
    ],
    swiftLanguageModes: [.v6]
)
