import Effects

struct Scores: Equatable, Sendable {
    var home = 0
    var away = 0
    var winner: String?
}

struct HomeScored: Action {}
struct AwayScored: Action {}
struct Touched: Action {}
struct Won: Action { let name: String? }

let scoring: ReducerFn<Scores> = combineReducers(
    forKey(\.home, use: on(HomeScored.self) { score, _ in score += 1 }),
    forKey(\.away, use: on(AwayScored.self) { score, _ in score += 1 }),
    forKey(\.winner, use: on(Won.self) { winner, won in winner = won.name })
)
