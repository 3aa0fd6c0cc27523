// The code of the article on SwiftUI and UIKit that needs UIKit. `.ci/platforms` type-checks it.

#if canImport(UIKit)
    import Dispatcher
    import Effects
    import Loop
    import UIKit

    final class AuthorViewController: UIViewController {
        private let component: Component<Author, AuthorInput>
        private let label = UILabel()

        init(component: Component<Author, AuthorInput>) {
            self.component = component
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) {
            fatalError("This view controller is not loaded from a nib file.")
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            let publish = UIAction(title: "Publish") { [component] _ in
                component.send(.publicChanged(true))
            }
            view.addSubview(label)
            view.addSubview(UIButton(primaryAction: publish))
            component.observe(with: self) { controller, author in
                controller.title = author.name
                controller.label.text = author.isPublic ? "public" : "private"
            }
        }
    }

    @MainActor
    func show(_ store: Store<Author>, in controller: UIViewController, and label: UILabel) {
        store.select(\.name).assign(to: \.text, on: label)
        store.select(\.isPublic).observe(with: controller) { controller, isPublic in
            controller.title = isPublic ? "public" : "private"
        }
    }

    final class AuthorLoopViewController: UIViewController {
        private let controller: MobiusController<Author, AuthorInput, Never>

        init(controller: MobiusController<Author, AuthorInput, Never>) {
            self.controller = controller
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) {
            fatalError("This view controller is not loaded from a nib file.")
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            controller.connectView(AuthorLabel(in: view))
        }

        override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            controller.startIfStopped()
        }

        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            controller.stopIfRunning()
        }
    }

    @MainActor
    final class AuthorLabel {
        private let label = UILabel()

        init(in view: UIView) { view.addSubview(label) }
    }

    extension AuthorLabel: @MainActor Connectable {
        func connect(_ consumer: @escaping Consumer<AuthorInput>) -> Connection<Author> {
            Connection(
                acceptClosure: { @MainActor [label] author in label.text = author.name },
                disposeClosure: {})
        }
    }
#endif
