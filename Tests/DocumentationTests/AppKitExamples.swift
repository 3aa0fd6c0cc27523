// The code of the article on SwiftUI and UIKit that needs AppKit. `.ci/platforms` type-checks it.

#if canImport(AppKit)
    import AppKit
    import Dispatcher

    final class AuthorPaneController: NSViewController {
        private let component: Component<Author, AuthorInput>
        private let label = NSTextField(labelWithString: "")

        init(component: Component<Author, AuthorInput>) {
            self.component = component
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) {
            fatalError("This view controller is not loaded from a nib file.")
        }

        override func loadView() {
            view = NSStackView(views: [label])
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            component.observe(with: self) { controller, author in
                controller.label.stringValue = author.name
            }
        }
    }
#endif
