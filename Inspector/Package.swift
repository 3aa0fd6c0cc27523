// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, so that users of the library do not build it or what it depends on.
let package = Package(
    name: "inspector",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "functional-architecture", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    ],
    targets: [
        // Turns traces into pages. Optimized in each configuration, because a trace may have some hundred megabytes.
        .target(
            name: "InspectorKit",
            dependencies: [
                .product(name: "ArchitectureTracing", package: "functional-architecture"),
                .product(name: "FunctionalCore", package: "functional-architecture"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            resources: [.copy("Page")],
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
        .executableTarget(
            name: "inspector",
            dependencies: [
                "InspectorKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        // An example: a trace as log lines, counters and timers.
        .target(
            name: "TraceLogging",
            dependencies: [
                .product(name: "FunctionalCore", package: "functional-architecture"),
                .product(name: "ArchitectureTracing", package: "functional-architecture"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "InspectorTests",
            dependencies: [
                "InspectorKit",
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "ArchitectureTracing", package: "functional-architecture"),
                .product(name: "Dispatcher", package: "functional-architecture"),
                .product(name: "FunctionalCore", package: "functional-architecture"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TraceLoggingTests",
            dependencies: [
                "TraceLogging",
                .product(name: "Dispatcher", package: "functional-architecture"),
                .product(name: "FunctionalCore", package: "functional-architecture"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
    ]
)
