"""A page about each algorithm: the idea, the cost, and a search to step through.

The pages of the docs (docs/algorithms.py) and of the app are made of these. The pseudocode comes from
`contienda.trace.pseudocode`, the tree from the search that plays. Only the idea and the cost, in both languages, are
written here.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ALGORITHMS", "Algorithm"]

_TREE = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"
_LUCK = "max[chance[0.5:3 0.5:5] chance[0.9:2 0.1:30]]"
_BOTH = "max[chance[0.5:min[3 12] 0.5:min[8 2]] chance[0.5:min[2 4] 0.5:min[14 5]]]"
_PUZZLE = "1 2 3/0 4 6/7 5 8"


class Algorithm(NamedTuple):
    """The content of a page."""

    name: str
    title: dict[str, str]
    module: str
    example: tuple[str, str, str]
    """Game, position and player of the tree to step through."""
    idea: dict[str, str]
    cost: dict[str, str]
    documents: tuple[str, ...] = ()


ALGORITHMS = (
    Algorithm(
        "minimax",
        {"en": "Minimax", "es": "Minimax"},
        "contienda.search.minimax",
        ("tree", _TREE, "minimax"),
        {
            "en": "MAX moves and wants the largest value; MIN answers and wants the smallest. The value of a node is"
            " the"
            " best that its mover can get if nobody errs: the largest of its children for MAX, the smallest for MIN.",
            "es": "MAX juega y busca el mayor valor; MIN responde y busca el menor. El valor de un nodo es lo mejor que"
            " puede conseguir quien mueve si nadie se equivoca: el mayor de sus hijos para MAX, el menor para MIN.",
        },
        {
            "en": "With b moves at each node it visits b^depth leaves, in memory proportional to the depth.",
            "es": "Con b jugadas por nodo visita b^profundidad hojas, con memoria proporcional a la profundidad.",
        },
        ("uc3m", "uja", "uma", "ort"),
    ),
    Algorithm(
        "alphabeta",
        {"en": "Alpha-beta", "es": "Poda alfa-beta"},
        "contienda.search.alphabeta",
        ("tree", _TREE, "alphabeta"),
        {
            "en": "Minimax with a window: α is what MAX has already, β what MIN has. As soon as a node is known to lie"
            " outside, its other children cannot change the result and are left out. Value and move are minimax's.",
            "es": "Minimax con una ventana: α es lo que MAX ya tiene asegurado, β lo que tiene MIN. En cuanto se sabe"
            " que"
            " un nodo queda fuera, sus demás hijos no pueden cambiar el resultado y se podan. El valor y la jugada son"
            " los de minimax.",
        },
        {
            "en": "From about b^(depth/2) leaves, if the best moves come first, to b^depth, if they come last.",
            "es": "Desde unas b^(profundidad/2) hojas, si las mejores jugadas van primero, hasta b^profundidad, si"
            " van al"
            " final.",
        },
        ("uja", "uma", "ort"),
    ),
    Algorithm(
        "negamax",
        {"en": "Negamax", "es": "Negamax"},
        "contienda.search.negamax",
        ("tictactoe", "XOX/OXO/...", "negamax"),
        {
            "en": "In a game of two with opposite goals, what is good for one is bad for the other by as much. If every"
            " value is seen from the player to move, both sides maximise, and one rule is enough: negate the child's"
            " value.",
            "es": "En un juego de dos con objetivos opuestos, lo bueno para uno es igual de malo para el otro. Si cada"
            " valor se ve desde quien mueve, ambos maximizan y basta una regla: cambiar el signo del valor del hijo.",
        },
        {"en": "Alpha-beta's nodes, in half the lines.", "es": "Los nodos de alfa-beta, en la mitad de líneas."},
    ),
    Algorithm(
        "mtdf",
        {"en": "MTD(f) and aspiration", "es": "MTD(f) y aspiración"},
        "contienda.search.windows",
        ("tree", _TREE, "mtdf"),
        {
            "en": "Guess the value, and ask alpha-beta with a null window whether it is larger or smaller. Each"
            " answer is a"
            " bound; where both meet is the value. A transposition table remembers what the earlier questions found.",
            "es": "Se conjetura el valor y se pregunta a alfa-beta, con una ventana nula, si es mayor o menor. Cada"
            " respuesta es una cota; donde se juntan está el valor. Una tabla de transposición recuerda lo que hallaron"
            " las preguntas anteriores.",
        },
        {
            "en": "With a good guess and a table, fewer nodes than one full window; with a bad guess, more.",
            "es": "Con una buena conjetura y una tabla, menos nodos que una ventana completa; con una mala, más.",
        },
    ),
    Algorithm(
        "expectimax",
        {"en": "Expectimax", "es": "Expectimax"},
        "contienda.search.expectimax",
        ("tree", _LUCK, "expectimax"),
        {
            "en": "In 2048 nobody plays against you: chance places the tiles. A chance node is worth the mean of its"
            " outcomes, each weighted by its probability; MAX takes the largest mean.",
            "es": "En el 2048 nadie juega contra ti: el azar coloca las fichas. Un nodo de azar vale la media de sus"
            " resultados, cada uno con el peso de su probabilidad; MAX toma la media mayor.",
        },
        {
            "en": "Every node down to the depth: (moves × outcomes)^(depth/2). A mean needs all its terms, so plain"
            " alpha-beta cannot cut; with bounds on the values, Star1 and Star2 can.",
            "es": "Todos los nodos hasta la profundidad: (jugadas × resultados)^(profundidad/2). Una media necesita"
            " todos"
            " sus términos, así que alfa-beta no puede podar; con cotas de los valores, Star1 y Star2 sí.",
        },
        ("uma", "ort"),
    ),
    Algorithm(
        "expectiminimax",
        {"en": "Expectiminimax", "es": "Expectiminimax"},
        "contienda.search.expectiminimax",
        ("tree", _BOTH, "expectiminimax"),
        {
            "en": "An opponent and dice in one tree: MAX takes the largest, MIN the smallest, chance the mean.",
            "es": "Rival y dados en un mismo árbol: MAX toma el mayor, MIN el menor y el azar la media.",
        },
        {"en": "Every node down to the depth.", "es": "Todos los nodos hasta la profundidad."},
    ),
    Algorithm(
        "montecarlo",
        {"en": "Monte Carlo", "es": "Monte Carlo"},
        "contienda.search.montecarlo",
        ("tictactoe", "XOX/.O./...", "montecarlo:rollouts=4"),
        {
            "en": "Play each move, then many random games to the end, and take the move with the best mean result. It"
            " needs"
            " the rules and no evaluator.",
            "es": "Se prueba cada jugada, se juegan muchas partidas al azar hasta el final y se toma la jugada de mejor"
            " media. Solo necesita las reglas, no un evaluador.",
        },
        {
            "en": "Moves × games × length of a game. The error of a mean shrinks with the square root of the games.",
            "es": "Jugadas × partidas × duración de una partida. El error de una media baja con la raíz cuadrada del"
            " número de partidas.",
        },
    ),
    Algorithm(
        "mcts",
        {"en": "Monte Carlo tree search", "es": "Búsqueda de Monte Carlo en árbol"},
        "contienda.search.mcts",
        ("tictactoe", "XOX/.O./...", "mcts:sims=20"),
        {
            "en": "Random games again, but not spread evenly: a tree remembers the results, and an upper confidence"
            " bound"
            " sends the next game where results were good or where few games went.",
            "es": "También partidas al azar, pero no repartidas por igual: un árbol recuerda los resultados y una cota"
            " superior de confianza lleva la siguiente partida adonde dieron buen resultado o adonde fueron pocas.",
        },
        {
            "en": "Each simulation costs a random game and one node of memory; the most visited move tends to the"
            " best one.",
            "es": "Cada simulación cuesta una partida al azar y un nodo de memoria; la jugada más visitada tiende a la"
            " mejor.",
        },
    ),
    Algorithm(
        "astar",
        {"en": "A*", "es": "A*"},
        "contienda.search.path.astar",
        ("puzzle8", _PUZZLE, "astar"),
        {
            "en": "Among all open nodes, expand the one with the smallest f = g + h: the cost so far plus an estimate"
            " of the"
            " rest. If h never overestimates, the first goal taken out is a cheapest one.",
            "es": "De todos los nodos abiertos se expande el de menor f = g + h: el coste hasta ahí más una"
            " estimación de"
            " lo que falta. Si h nunca sobrestima, el primer objetivo que sale es uno de los más baratos.",
        },
        {
            "en": "Every node made stays in memory; the better h, the fewer.",
            "es": "Todo nodo creado queda en memoria; cuanto mejor es h, menos hay.",
        },
        ("uc3m", "unicen"),
    ),
    Algorithm(
        "ida-star",
        {"en": "IDA*", "es": "IDA*"},
        "contienda.search.path.ida_star",
        ("puzzle8", _PUZZLE, "ida-star"),
        {
            "en": "Depth-first search that turns back where f exceeds a limit; then again with the next limit.",
            "es": "Búsqueda en profundidad que retrocede donde f supera un límite; después, otra vez con el siguiente.",
        },
        {
            "en": "The memory of one path; states are made again for every limit.",
            "es": "La memoria de un solo camino; los estados se repiten con cada límite.",
        },
    ),
    Algorithm(
        "backtracking",
        {"en": "Backtracking", "es": "Backtracking (vuelta atrás)"},
        "contienda.search.path.backtracking",
        ("puzzle8", "1 2 3/4 5 6/7 0 8", "backtracking"),
        {
            "en": "Follow a path as far as it goes; where it is lost, undo the last step and try another.",
            "es": "Se sigue un camino hasta donde llegue; donde está perdido se deshace el último paso y se prueba"
            " otro.",
        },
        {
            "en": "The memory of one path, and up to all states in time. It finds a goal, not the nearest.",
            "es": "La memoria de un camino y, en tiempo, hasta todos los estados. Halla un objetivo, no el más"
            " cercano.",
        },
        ("unicen",),
    ),
    Algorithm(
        "branch-and-bound",
        {"en": "Branch and bound", "es": "Ramificación y poda"},
        "contienda.search.path.branch_and_bound",
        ("puzzle8", _PUZZLE, "branch-and-bound"),
        {
            "en": "A node lives while its bound says that a solution may lie below it; the most promising is expanded"
            " first. Everything depends on the bound: if it is too low, goals are missed.",
            "es": "Un nodo vive mientras su cota diga que debajo puede haber una solución; se expande primero el más"
            " prometedor. Todo depende de la cota: si se queda corta, se pierden objetivos.",
        },
        {
            "en": "Every living node stays in memory.",
            "es": "Todo nodo vivo queda en memoria.",
        },
        ("unicen",),
    ),
    Algorithm(
        "breadth-first",
        {"en": "Breadth-first search", "es": "Búsqueda en anchura"},
        "contienda.search.path.breadth_first",
        ("puzzle8", _PUZZLE, "breadth-first"),
        {
            "en": "All states one step away, then all that are two steps away: the first path found has the fewest"
            " steps.",
            "es": "Todos los estados a un paso, después todos los que están a dos: el primer camino hallado es el de"
            " menos"
            " pasos.",
        },
        {"en": "b^steps nodes, all in memory.", "es": "b^pasos nodos, todos en memoria."},
    ),
    Algorithm(
        "hill-climbing",
        {"en": "Hill climbing", "es": "Ascenso de colinas"},
        "contienda.search.path.hill_climbing",
        ("puzzle8", _PUZZLE, "hill-climbing"),
        {
            "en": "Take the best step as long as it improves. Quick, and most climbs end on a peak that is no goal.",
            "es": "Se da el mejor paso mientras mejore. Es rápido, y casi siempre acaba en un pico que no es el"
            " objetivo.",
        },
        {"en": "One path, all actions tried at each step.", "es": "Un camino, con todas las acciones en cada paso."},
        ("uc3m",),
    ),
)
