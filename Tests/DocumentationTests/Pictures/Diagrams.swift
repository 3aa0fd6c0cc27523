/// Diagrams whose places are chosen by hand.
enum Diagrams {
    /// What happens between an input and a view.
    static func send() -> Sketch {
        var drawing = Sketch(
            width: 760, height: 330,
            title:
                "A view sends an input to a component. The dispatcher returns two actions. The first one changes the state at "
                + "once. The second one waits for the environment and then changes the state. The view is notified of both."
        )
        drawing.box(20, 120, 130, 70, "View", ["shows the state"])
        drawing.box(230, 20, 300, 270, "", [], .code)
        drawing.text("Component", 380, 44, .ink, size: 15, isBold: true)
        drawing.box(250, 60, 260, 56, "Dispatcher", ["input → actions"], .surface)
        drawing.box(250, 140, 260, 44, "1  change the state", [], .first)
        drawing.box(250, 194, 260, 44, "2  wait, then change the state", [], .second)
        drawing.box(250, 250, 260, 30, "State", [], .third)
        drawing.box(610, 180, 130, 70, "Environment", ["a server, a disk"])
        drawing.arrow([(150, 140), (200, 140), (200, 88), (246, 88)], .first)
        drawing.text("input", 188, 106, .first, .end, size: 13)
        drawing.arrow([(380, 116), (380, 137)])
        drawing.arrow([(510, 208), (606, 208)], .second)
        drawing.text("request", 560, 200, .second, size: 13)
        drawing.arrow([(606, 226), (514, 226)], .second)
        drawing.text("answer", 560, 244, .second, size: 13)
        drawing.arrow([(250, 265), (85, 265), (85, 194)], .third)
        drawing.text("every new state, in order", 22, 286, .third, .start, size: 13)
        drawing.text(
            "A newer input can cancel step 2, queue behind it, or be ignored: that is its policy.", 380, 318, .quiet,
            size: 13)
        return drawing
    }

    /// How an owner processes messages.
    static func order() -> Sketch {
        var drawing = Sketch(
            width: 760, height: 250,
            title:
                "A message enters a queue. One thread takes it, changes the state, notifies observers in registration order, and "
                + "starts work. Results of work enter the queue again.")
        let names = [
            ("Queue", ["first in, first out"]), ("Change", ["atomic, in place"]), ("Observers", ["in order"]),
            ("Work", ["by policy"]),
        ]
        for (index, (name, lines)) in names.enumerated() {
            let x = 130 + index * 155
            drawing.box(x, 70, 125, 70, name, lines, [.surface, .first, .third, .second][index])
            if index > 0 { drawing.arrow([(x - 30, 105), (x - 4, 105)]) }
        }
        drawing.text("any thread", 60, 92, .quiet, size: 13)
        drawing.arrow([(20, 105), (126, 105)])
        drawing.arrow([(657, 140), (657, 200), (192, 200), (192, 144)], .second)
        drawing.text("results, in turn", 425, 192, .second, size: 13)
        drawing.arrow([(502, 70), (502, 36), (192, 36), (192, 66)], .third)
        drawing.text("what observers send is enqueued", 347, 28, .third, size: 13)
        drawing.text(
            "One message at a time. No message is lost, and none is nested in another one.", 380, 236, .quiet, size: 13)
        return drawing
    }

    /// The modules and their dependencies.
    static func house() -> Sketch {
        var drawing = Sketch(
            width: 760, height: 330,
            title:
                "Three front doors, Dispatcher, Loop and Effects, stand on one engine, and on FunctionalCore and Optics. Test products "
                + "and ArchitectureTracing stand beside them.")
        drawing.box(20, 20, 500, 44, "FunctionalArchitecture", [], .code)
        for (index, (name, line)) in [("Dispatcher", "Component"), ("Loop", "MobiusLoop"), ("Effects", "Store")]
            .enumerated()
        {
            drawing.box(20 + index * 170, 84, 160, 66, name, [line], [.first, .second, .third][index])
        }
        drawing.box(20, 170, 500, 56, "one engine", ["order, observers, cancellation, policies"])
        drawing.box(20, 246, 245, 64, "FunctionalCore", ["EnvIO, State, Schedule, Policy"])
        drawing.box(275, 246, 245, 64, "Optics", ["Lens, Prism, AutoPrism"])
        drawing.box(556, 20, 188, 130, "ArchitectureTesting", ["test drivers"], .fourth)
        drawing.box(556, 160, 188, 40, "VirtualTime", [], .fourth)
        drawing.box(556, 210, 188, 40, "Properties, laws", [], .fourth)
        drawing.box(556, 260, 188, 50, "ArchitectureTracing", ["files of traces"])
        return drawing
    }

    /// One round of a loop.
    static func round() -> Sketch {
        var drawing = Sketch(
            width: 620, height: 270,
            title:
                "An event and the model go into the update function, which returns the next model and effects. Observers see the "
                + "model. The handler performs the effects and answers with events.")
        drawing.box(230, 90, 160, 70, "Update", ["model, event → next"], .second)
        drawing.box(450, 90, 150, 70, "Handler", ["performs effects"])
        drawing.box(20, 90, 150, 70, "View", ["sends events"])
        drawing.box(230, 200, 160, 50, "Model", [], .third)
        drawing.arrow([(170, 125), (226, 125)], .first)
        drawing.text("event", 198, 117, .first, size: 13)
        drawing.arrow([(390, 125), (446, 125)], .second)
        drawing.text("effects", 418, 117, .second, size: 13)
        drawing.arrow([(525, 90), (525, 40), (310, 40), (310, 86)], .first)
        drawing.text("events, the answers", 418, 32, .first, size: 13)
        drawing.arrow([(310, 160), (310, 196)], .third)
        drawing.arrow([(230, 225), (95, 225), (95, 164)], .third)
        drawing.text("every new model", 160, 244, .third, size: 13)
        return drawing
    }

    /// The answer of an effect.
    static func answer() -> Sketch {
        var drawing = Sketch(
            width: 700, height: 290,
            title:
                "An action reaches the reducer first, which changes the state. Then observers are notified. Then the action is "
                + "delivered to the effects that listen to its type, and they answer with further actions.")
        drawing.box(20, 100, 130, 66, "View", ["dispatches actions"])
        drawing.box(230, 30, 170, 56, "1  Reducer", ["changes the state"], .first)
        drawing.box(230, 112, 170, 56, "2  Observers", ["selections, views"], .third)
        drawing.box(230, 194, 170, 56, "3  Effects", ["by type of action"], .second)
        drawing.box(510, 190, 160, 64, "Environment", ["a server, a clock"])
        drawing.arrow([(150, 122), (190, 122), (190, 58), (226, 58)], .first)
        drawing.text("action", 184, 100, .first, .end, size: 13)
        drawing.arrow([(315, 86), (315, 108)])
        drawing.arrow([(315, 168), (315, 190)])
        drawing.arrow([(230, 148), (154, 148)], .third)
        drawing.arrow([(400, 214), (506, 214)], .second)
        drawing.arrow([(506, 232), (404, 232)], .second)
        drawing.text("request, answer", 455, 206, .second, size: 13)
        drawing.arrow([(315, 250), (315, 272), (85, 272), (85, 170)], .second)
        drawing.text("further actions, in turn", 196, 266, .second, size: 13)
        return drawing
    }

    /// The small pictures of the front doors on the landing page.
    static func door(_ name: String) -> Sketch {
        switch name {
        case "dispatcher":
            var drawing = Sketch(
                width: 300, height: 150, title: "An input becomes actions. Each action changes the state.")
            drawing.box(10, 50, 70, 44, "input", [], .first)
            drawing.box(115, 20, 80, 44, "action", [], .second)
            drawing.box(115, 84, 80, 44, "action", [], .second)
            drawing.box(230, 50, 60, 44, "state", [], .third)
            drawing.arrow([(80, 66), (98, 66), (98, 42), (111, 42)])
            drawing.arrow([(80, 78), (98, 78), (98, 106), (111, 106)])
            drawing.arrow([(195, 42), (212, 42), (212, 66), (226, 66)])
            drawing.arrow([(195, 106), (212, 106), (212, 80), (226, 80)])
            return drawing
        case "loop":
            var drawing = Sketch(
                width: 300, height: 150,
                title:
                    "An event and a model become the next model and effects. A handler performs the effects and answers with events."
            )
            drawing.box(10, 56, 64, 44, "event", [], .first)
            drawing.box(104, 56, 80, 44, "update", [], .second)
            drawing.box(216, 22, 74, 44, "model", [], .third)
            drawing.box(216, 92, 74, 44, "effects", [], .surface)
            drawing.arrow([(74, 78), (100, 78)])
            drawing.arrow([(184, 70), (200, 70), (200, 44), (212, 44)])
            drawing.arrow([(184, 86), (200, 86), (200, 114), (212, 114)])
            drawing.arrow([(216, 130), (42, 130), (42, 104)])
            return drawing
        default:
            var drawing = Sketch(
                width: 300, height: 150,
                title:
                    "An action reaches a reducer, which changes the state, and effects, which answer with further actions."
            )
            drawing.box(10, 52, 70, 44, "action", [], .first)
            drawing.box(112, 18, 80, 44, "reducer", [], .second)
            drawing.box(112, 88, 80, 44, "effects", [], .surface)
            drawing.box(226, 18, 64, 44, "state", [], .third)
            drawing.arrow([(80, 68), (96, 68), (96, 40), (108, 40)])
            drawing.arrow([(80, 80), (96, 80), (96, 110), (108, 110)])
            drawing.arrow([(192, 40), (222, 40)])
            drawing.arrow([(192, 122), (210, 122), (210, 142), (44, 142), (44, 100)])
            return drawing
        }
    }
}
