// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// Unsafe code stands in a few types that are `@safe`, each with its invariant.
let memorySafe = strict + [.strictMemorySafety()]

let package = Package(
    name: "functional-architecture",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // The next five products in one import, for files that contain logic.
        .library(name: "FunctionalArchitecture", targets: ["FunctionalArchitecture"]),
        .library(name: "FunctionalCore", targets: ["FunctionalCore"]),
        .library(name: "Optics", targets: ["Optics"]),
        .library(name: "Dispatcher", targets: ["Dispatcher"]),
        .library(name: "Loop", targets: ["Loop"]),
        .library(name: "Effects", targets: ["Effects"]),
        // Files of traces. Imports Foundation, which no other product does.
        .library(name: "ArchitectureTracing", targets: ["ArchitectureTracing"]),
        // For test targets. All but VirtualTime import Testing, with which an app does not run.
        .library(name: "VirtualTime", targets: ["VirtualTime"]),
        .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
        .library(name: "FunctionalLaws", targets: ["FunctionalLaws"]),
        .library(name: "DispatcherLaws", targets: ["DispatcherLaws"]),
        .library(name: "ArchitectureTesting", targets: ["ArchitectureTesting"]),
    ],
    targets: [
        .target(name: "FunctionalCore", swiftSettings: memorySafe),
        .target(name: "Optics", dependencies: ["FunctionalCore"], swiftSettings: memorySafe),
        .target(name: "ArchitectureEngine", dependencies: ["FunctionalCore", "Optics"], swiftSettings: memorySafe),
        .target(
            name: "Dispatcher",
            dependencies: ["FunctionalCore", "Optics", "ArchitectureEngine"],
            swiftSettings: memorySafe
        ),
        .target(
            name: "Loop",
            dependencies: ["FunctionalCore", "Optics", "ArchitectureEngine"],
            swiftSettings: memorySafe
        ),
        .target(
            name: "Effects",
            dependencies: ["FunctionalCore", "Optics", "ArchitectureEngine"],
            swiftSettings: memorySafe
        ),
        .target(
            name: "FunctionalArchitecture",
            dependencies: ["Dispatcher", "Effects", "FunctionalCore", "Loop", "Optics"],
            swiftSettings: memorySafe
        ),
        .target(name: "ArchitectureTracing", dependencies: ["FunctionalCore"], swiftSettings: memorySafe),
        .target(name: "VirtualTime", dependencies: ["FunctionalCore"], swiftSettings: memorySafe),
        .target(name: "PropertyTesting", dependencies: ["FunctionalCore", "VirtualTime"], swiftSettings: memorySafe),
        .target(
            name: "FunctionalLaws", dependencies: ["FunctionalCore", "Optics", "PropertyTesting"],
            swiftSettings: memorySafe),
        .target(
            name: "DispatcherLaws",
            dependencies: ["Dispatcher", "FunctionalCore", "FunctionalLaws", "Optics", "PropertyTesting"],
            swiftSettings: memorySafe),
        .target(
            name: "ArchitectureTesting",
            dependencies: ["Dispatcher", "Effects", "FunctionalCore", "Loop", "Optics", "VirtualTime"],
            swiftSettings: memorySafe),

        .target(name: "TerminalSupport", path: "Playgrounds/TerminalSupport", swiftSettings: strict),
        .target(
            name: "TracingSupport",
            dependencies: ["ArchitectureTracing", "FunctionalCore", "TerminalSupport"],
            path: "Playgrounds/TracingSupport",
            swiftSettings: strict
        ),
        .target(
            name: "ResourceLoading",
            dependencies: ["TerminalSupport"],
            path: "Playgrounds/ResourceLoading",
            swiftSettings: strict
        ),
        .target(
            name: "ExampleDispatchers",
            dependencies: ["Dispatcher", "FunctionalCore", "Optics", "ResourceLoading", "TerminalSupport"],
            path: "Playgrounds/ExampleDispatchers",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "stepper",
            dependencies: ["Dispatcher", "ExampleDispatchers", "TerminalSupport", "TracingSupport"],
            path: "Playgrounds/stepper",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "die",
            dependencies: ["Dispatcher", "ExampleDispatchers", "TerminalSupport", "TracingSupport"],
            path: "Playgrounds/die",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "screen-loader",
            dependencies: [
                "Dispatcher", "ExampleDispatchers", "ResourceLoading", "TerminalSupport", "TracingSupport",
            ],
            path: "Playgrounds/screen-loader",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "dashboard",
            dependencies: [
                "Dispatcher", "ExampleDispatchers", "ResourceLoading", "TerminalSupport", "TracingSupport",
            ],
            path: "Playgrounds/dashboard",
            swiftSettings: strict
        ),
        .target(
            name: "MemoryServer",
            dependencies: ["FunctionalCore"],
            path: "Playgrounds/MemoryServer",
            swiftSettings: strict
        ),
        .target(
            name: "ExampleLoops",
            dependencies: ["FunctionalCore", "Loop", "MemoryServer", "ResourceLoading"],
            path: "Playgrounds/ExampleLoops",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "player",
            dependencies: ["ExampleLoops", "Loop", "MemoryServer", "TerminalSupport", "TracingSupport"],
            path: "Playgrounds/player",
            swiftSettings: strict
        ),
        .target(
            name: "ExampleStores",
            dependencies: ["Effects", "FunctionalCore", "MemoryServer", "TerminalSupport"],
            path: "Playgrounds/ExampleStores",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "posts",
            dependencies: ["Effects", "ExampleStores", "MemoryServer", "TerminalSupport", "TracingSupport"],
            path: "Playgrounds/posts",
            swiftSettings: strict
        ),
        .target(
            name: "ExamplePrograms",
            dependencies: ["FunctionalCore", "ResourceLoading", "TerminalSupport"],
            path: "Playgrounds/ExamplePrograms",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "fetch-many",
            dependencies: [
                "Dispatcher", "ExamplePrograms", "FunctionalCore", "ResourceLoading", "TerminalSupport",
                "TracingSupport",
            ],
            path: "Playgrounds/fetch-many",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "check-laws",
            dependencies: [
                "Dispatcher", "FunctionalCore", "FunctionalLaws", "Optics", "PropertyTesting", "TerminalSupport",
                "TracingSupport",
            ],
            path: "Playgrounds/check-laws",
            swiftSettings: strict
        ),
        .testTarget(
            name: "TerminalSupportTests", dependencies: ["PropertyTesting", "TerminalSupport", "TestSupport"],
            swiftSettings: strict),
        .target(
            name: "PlaygroundTestSupport",
            path: "Tests/PlaygroundTestSupport",
            exclude: ["http_server.py"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ResourceLoadingTests",
            dependencies: [
                "ResourceLoading", "PlaygroundTestSupport", "TerminalSupport", "TestSupport", "VirtualTime",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlaygroundTests",
            dependencies: [
                "ArchitectureTesting", "ArchitectureTracing", "Dispatcher", "Effects", "ExampleDispatchers",
                "ExampleLoops", "ExamplePrograms", "ExampleStores",
                "FunctionalCore", "Loop", "MemoryServer",
                "PlaygroundTestSupport", "ResourceLoading", "TerminalSupport", "TestSupport", "VirtualTime",
                "check-laws", "dashboard", "die", "fetch-many", "player", "posts", "screen-loader", "stepper",
            ],
            swiftSettings: strict
        ),

        .target(name: "TestProcess", path: "Tests/TestProcess"),
        .target(
            name: "TestSupport", dependencies: ["FunctionalCore", "PropertyTesting", "TestProcess", "VirtualTime"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "FunctionalCoreTests",
            dependencies: ["FunctionalCore", "FunctionalLaws", "PropertyTesting", "TestSupport", "VirtualTime"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArchitectureEngineTests",
            dependencies: ["ArchitectureEngine", "FunctionalCore", "PropertyTesting", "TestSupport", "VirtualTime"],
            swiftSettings: strict
        ),
        .target(name: "ImportedEnum", path: "Tests/ImportedEnum"),
        .testTarget(
            name: "OpticsTests",
            dependencies: ["FunctionalLaws", "ImportedEnum", "Optics", "PropertyTesting", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DispatcherTests",
            dependencies: [
                "Dispatcher", "DispatcherLaws", "FunctionalCore", "Optics", "PropertyTesting", "TestSupport",
                "VirtualTime",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EffectsTests",
            dependencies: ["Effects", "FunctionalCore", "Optics", "PropertyTesting", "TestSupport", "VirtualTime"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LoopTests",
            dependencies: ["FunctionalCore", "Loop", "Optics", "PropertyTesting", "TestSupport", "VirtualTime"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArchitectureTracingTests",
            dependencies: [
                "ArchitectureEngine", "ArchitectureTracing", "Dispatcher", "Effects", "FunctionalCore", "Loop",
                "PropertyTesting", "TestSupport",
                "VirtualTime",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArchitectureTestingTests",
            dependencies: [
                "ArchitectureTesting", "Dispatcher", "Effects", "FunctionalCore", "Loop", "Optics", "PropertyTesting",
                "TestSupport", "VirtualTime",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DocumentationTests",
            // All modules with articles: a build looks for new and deleted files only in the folders of what it contains.
            dependencies: [
                "ArchitectureTesting", "ArchitectureTracing", "Dispatcher", "DispatcherLaws", "Effects",
                "FunctionalArchitecture", "FunctionalCore", "FunctionalLaws", "Loop", "Optics", "PlaygroundTestSupport",
                "PropertyTesting",
                "TestSupport", "VirtualTime",
            ],
            exclude: ["Templates"],
            swiftSettings: strict,
            plugins: ["InsertBlocksPlugin"]
        ),
        // Makes the site from the archives of the modules; see `.ci/documentation`.
        .executableTarget(name: "DocumentationSite", path: "Tests/DocumentationSite", swiftSettings: strict),
        // Generates sources of DocumentationTests. Clients of the package do not build these.
        .executableTarget(name: "InsertBlocks", path: "Tests/DocumentationBlocks/Tool", swiftSettings: strict),
        .plugin(
            name: "InsertBlocksPlugin", capability: .buildTool(), dependencies: ["InsertBlocks"],
            path: "Tests/DocumentationBlocks/Plugin"),
        // The settings of a client: none but the language mode.
        .testTarget(
            name: "SpecificationTests",
            dependencies: ["Dispatcher", "Effects", "FunctionalCore", "Loop", "Optics", "TestSupport"]),
        .testTarget(
            name: "FunctionalArchitectureTests", dependencies: ["FunctionalArchitecture", "TestSupport", "VirtualTime"]),
        .testTarget(
            name: "FunctionalLawsTests",
            dependencies: [
                "Dispatcher", "DispatcherLaws", "FunctionalCore", "FunctionalLaws", "Optics", "PropertyTesting",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PropertyTestingTests",
            dependencies: ["PlaygroundTestSupport", "PropertyTesting", "TestSupport", "VirtualTime"],
            swiftSettings: strict),
        // The settings of a new app of Xcode 26.
        .testTarget(
            name: "MainActorTests",
            dependencies: [
                "ArchitectureTesting", "Dispatcher", "Effects", "FunctionalCore", "Loop", "Optics", "VirtualTime",
            ],
            swiftSettings: strict + [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]),
        .testTarget(name: "VirtualTimeTests", dependencies: ["VirtualTime", "TestSupport"], swiftSettings: strict),
    ]
)

// Limits how many tests run at once.
for target in package.targets where target.isTest { target.dependencies.append("TestProcess") }

// Names of test targets, separated by commas: these are not built.
if let names = Context.environment["OMITTED_TESTS"] {
    let names = Set(names.split(separator: ",").map(String.init))
    package.targets.removeAll { names.contains($0.name) }
}

// Names of targets, separated by commas: only these are built, and what they depend on.
if let names = Context.environment["TEST_TARGETS"] {
    var needed = Set(names.split(separator: ",").map(String.init))
    var count = 0
    while count < needed.count {
        count = needed.count
        for target in package.targets where needed.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
            for case .plugin(let name, _) in target.plugins ?? [] { needed.insert(name) }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}

// Names of test targets, separated by commas: their own sources are not optimized in a release build, which saves a third of the
// time that they take. The library is optimized as ever, but for what these clients would specialize.
if let names = Context.environment["UNOPTIMIZED_TESTS"] {
    let names = Set(names.split(separator: ",").map(String.init))
    for target in package.targets where names.contains(target.name) {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .unsafeFlags(["-Onone"], .when(configuration: .release))
            ]
    }
}
