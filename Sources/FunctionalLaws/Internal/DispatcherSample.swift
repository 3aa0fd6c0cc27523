import PropertyTesting

/// What a law of dispatchers is tried on.
struct DispatcherSample: Sendable, CustomStringConvertible {
    var law: DispatcherLaw
    var f: WorkflowPlan
    var g: WorkflowPlan
    var h: WorkflowPlan
    var change: ChangePlan
    var one: ActionPlan
    var setting: DispatcherSetting
    /// Another environment.
    var otherNumber: Int

    static func gen(for law: DispatcherLaw) -> Gen<DispatcherSample> {
        Gen.zip(
            WorkflowPlan.gen, WorkflowPlan.gen, WorkflowPlan.gen, ChangePlan.gen, ActionPlan.gen,
            DispatcherSetting.gen, Gen.int(in: 0...9)
        )
        .map {
            DispatcherSample(
                law: law, f: $0, g: $1, h: $2, change: $3, one: $4, setting: $5, otherNumber: $6)
        }
    }

    /// What the law looks at, and of each workflow the actions for the input: the rest is as it was generated, and says
    /// nothing.
    var description: String {
        let (child, environment) = (setting.state.parent.child, "environment: \(setting.number)")
        let childInput = "input: \(described(setting.childInput))"
        let alone = [childInput, "state: \(described(child))", environment]
        let widened = [
            "input: \(described(setting.parentInput))", "state: \(described(setting.state.parent))", environment,
        ]
        let focused = [childInput, "state: \(described(setting.state.parent))", environment]
        let texts: [String]
        switch law {
        case .combineIsAssociative: texts = [own("a", f), own("b", g), own("c", h)] + alone
        case .emptyIsALeftIdentity, .emptyIsARightIdentity, .workflowReturnsItsActions,
            .wideningByIdentitiesChangesNothing:
            texts = [own("a", f)] + alone
        case .combineAppendsActions, .workflowsCombineByAppending: texts = [own("a", f), own("b", g)] + alone
        case .pureIsEffectful: texts = ["change: \(change)"] + alone
        case .effectfulIsAWorkflowOfOne: texts = ["action: \(one)"] + alone
        case .emptyIsAWorkflowOfNone: texts = alone
        case .wideningTwiceIsWideningOnce:
            texts = [
                widening("a", f, grandInput), "input: \(described(setting.grandInput))",
                "state: \(described(setting.state))", environment,
            ]
        case .wideningDistributesOverCombine, .disjointWidensCommute:
            texts = [widening("a", f, parentInput), widening("b", g, parentInput)] + widened
        case .wideningEmptyIsEmpty: texts = widened
        case .anUnmatchedInputHasNoActions: texts = ["a: \(f)"]
        case .aMatchedInputHasTheChildsActions, .askingRunsNothing: texts = [own("a", f), childInput]
        case .onlyThePartChanges, .thePartChangesAsTheChildDoes: texts = [own("a", f)] + focused
        case .wideningPureIsPure: texts = ["change: \(change)"] + widened
        case .pureIgnoresTheEnvironment:
            texts = ["change: \(change)"] + alone.dropLast() + ["environments: \(setting.number), \(otherNumber)"]
        case .pureAndEffectfulHaveOneAction: texts = ["change: \(change)", "action: \(one)", childInput]
        case .partialWidensComposeInAnyOrder: texts = [widening("a", f, parentInput)] + widened
        case .aFailureEndsItsOwnWorkflow:
            texts = [
                "a: \(f)", "inputs: \(described([setting.childInput, .a(0), .b(0), setting.childInput]))",
                "state: \(described(child))", environment,
            ]
        case .eachArgumentOfWidenComposes:
            texts =
                ["a: \(f)", "inputs: \(described(setting.childInput)), \(described(setting.grandInput))"]
                + ["state: \(described(setting.state))", environment]
        case .eachActionSeesTheStateOfItsTime: texts = ["inputs: \(described(Array(1...(otherNumber + 2))))"]
        }
        return texts.joined(separator: ", ")
    }

    private func own(_ name: String, _ plan: WorkflowPlan) -> String {
        "\(name): \(plan.plans(for: setting.childInput))"
    }

    private func widening(_ name: String, _ plan: WorkflowPlan, _ input: ChildInput?) -> String {
        "\(name): " + (input.map { "\(plan.plans(for: $0))" } ?? "not asked")
    }

    private var parentInput: ChildInput? { input(in: setting.parentInput) }

    private var grandInput: ChildInput? {
        // The law widens by the case for the child alone.
        if case .parent(.child(let input)) = setting.grandInput { input } else { nil }
    }

    private func input(in input: ParentInput) -> ChildInput? {
        switch input {
        case .child(let input): input
        case .sibling(let input): law == .disjointWidensCommute ? input : nil
        case .other: nil
        }
    }
}
