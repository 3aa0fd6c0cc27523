// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nothing of it reaches who uses the library; and a client like any other, which sees the
// public API alone.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "functional-architecture", path: "..")],
    targets: [
        .target(name: "Opacity"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Opacity",
                .product(name: "FunctionalCore", package: "functional-architecture"),
                .product(name: "Optics", package: "functional-architecture"),
                .product(name: "Dispatcher", package: "functional-architecture"),
                .product(name: "Loop", package: "functional-architecture"),
                .product(name: "Effects", package: "functional-architecture"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ShrinkingChallenge",
            dependencies: [.product(name: "PropertyTesting", package: "functional-architecture")],
            swiftSettings: strict
        ),
    ]
)
