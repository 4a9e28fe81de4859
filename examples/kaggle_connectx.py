"""A player of ours as an agent for Kaggle's ConnectX.

from kaggle_environments import make
make("connectx").run(["examples/kaggle_connectx.py", "negamax"])
"""

from contienda.envs.kaggle import agent

play = agent("alphabeta:ms=1500,table=on,order=history")


def act(observation, configuration):
    """Kaggle calls the last function of the file."""
    return play(observation, configuration)
