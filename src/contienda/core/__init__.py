"""The contracts that everything else keeps to: games, problems, limits, results, texts, specs and files.

Nothing here knows anything else of the package. Import the module that you need: the package loads none of them.
"""
