// swift-tools-version: 6.0
import PackageDescription

// Apple's systems have StoreKit; elsewhere what the module uses of it is a target of the tests.
#if os(Linux)
    let storeKit: [Target] = [.target(name: "StoreKit", path: "Tests/StoreKit")]
    let storeKitThere: [Target.Dependency] = ["StoreKit"]
    let purchasesTests: [Target] = [
        .testTarget(name: "ControlPlanePurchasesTests", dependencies: ["ControlPlanePurchases", "StoreKit"])
    ]
#else
    let storeKit: [Target] = []
    let storeKitThere: [Target.Dependency] = []
    let purchasesTests: [Target] = []
#endif

let package = Package(
    name: "ControlPlane",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "ControlPlane", targets: ["ControlPlane"]),
        .library(name: "ControlPlaneFlags", targets: ["ControlPlaneFlags"]),
        .library(name: "ControlPlanePurchases", targets: ["ControlPlanePurchases"]),
    ],
    targets: [
        .target(name: "ControlPlane", resources: [.process("PrivacyInfo.xcprivacy")]),
        .target(name: "ControlPlaneFlags"),
        .target(name: "ControlPlanePurchases", dependencies: storeKitThere),
        // Not a product: the service's tests kill and restart it.
        .executableTarget(name: "ChaosClient", dependencies: ["ControlPlane"], path: "Tests/ChaosClient"),
        .testTarget(name: "ControlPlaneTests", dependencies: ["ControlPlane"]),
        .testTarget(name: "ControlPlaneFlagsTests", dependencies: ["ControlPlaneFlags"]),
    ] + storeKit + purchasesTests,
    swiftLanguageModes: [.v6]
)
