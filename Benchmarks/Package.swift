// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, so that users of the library do not build it. It is a client like any other and uses only the
// public API.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "functional-architecture", path: "..")],
    targets: [
        .target(name: "Opacity"),
        .target(name: "Cores"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Opacity", "Cores",
                .product(name: "FunctionalCore", package: "functional-architecture"),
                .product(name: "Optics", package: "functional-architecture"),
                .product(name: "Dispatcher", package: "functional-architecture"),
                .product(name: "Loop", package: "functional-architecture"),
                .product(name: "Effects", package: "functional-architecture"),
                .product(name: "ArchitectureTracing", package: "functional-architecture"),
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
