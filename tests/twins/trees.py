"""Random trees, as hypothesis draws them and as the game of drawn trees reads them."""

from __future__ import annotations

from hypothesis import strategies as st

numbers = st.integers(-9, 9).map(float)


def grown(kinds):
    """Trees as nested tuples (kind, [(share, child)]), with leaves as numbers; shares make probabilities."""
    return st.recursive(
        numbers,
        lambda children: st.tuples(
            st.sampled_from(kinds),
            st.lists(st.tuples(st.integers(0, 5), children), min_size=1, max_size=4).filter(
                lambda below: sum(share for share, _ in below) > 0
            ),
        ),
        max_leaves=30,
    )


def written(tree):
    """The text of such a tree."""
    if isinstance(tree, float):
        return repr(tree)
    kind, below = tree
    whole = sum(share for share, _ in below)
    parts = [f"{share}/{whole}:{written(child)}" if kind == "chance" else written(child) for share, child in below]
    return f"{kind}[{' '.join(parts)}]"
