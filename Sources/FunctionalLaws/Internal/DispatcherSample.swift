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
        case .d1: texts = [own("a", f), own("b", g), own("c", h)] + alone
        case .d2, .d3, .d7, .d10: texts = [own("a", f)] + alone
        case .d4, .d9: texts = [own("a", f), own("b", g)] + alone
        case .d5: texts = ["change: \(change)"] + alone
        case .d6: texts = ["action: \(one)"] + alone
        case .d8: texts = alone
        case .d11:
            texts = [
                widening("a", f, grandInput), "input: \(described(setting.grandInput))",
                "state: \(described(setting.state))", environment,
            ]
        case .d12, .d22: texts = [widening("a", f, parentInput), widening("b", g, parentInput)] + widened
        case .d13: texts = widened
        case .d14: texts = ["a: \(f)"]
        case .d15, .d19: texts = [own("a", f), childInput]
        case .d16, .d17: texts = [own("a", f)] + focused
        case .d18: texts = ["change: \(change)"] + widened
        case .d20:
            texts = ["change: \(change)"] + alone.dropLast() + ["environments: \(setting.number), \(otherNumber)"]
        case .d21: texts = ["change: \(change)", "action: \(one)", childInput]
        case .d23: texts = [widening("a", f, parentInput)] + widened
        case .d24:
            texts = [
                "a: \(f)", "inputs: \(described([setting.childInput, .a(0), .b(0), setting.childInput]))",
                "state: \(described(child))", environment,
            ]
        case .d25:
            texts =
                ["a: \(f)", "inputs: \(described(setting.childInput)), \(described(setting.grandInput))"]
                + ["state: \(described(setting.state))", environment]
        case .d26: texts = ["inputs: \(described(Array(1...(otherNumber + 2))))"]
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
        case .sibling(let input): law == .d22 ? input : nil
        case .other: nil
        }
    }
}
