"""Networks that learn while a class looks on.

shapes     what goes over the wire
kinds      what there is to learn: games of points, games for two
run        one training, in its own thread
trainings  the trainings of all browsers
routes     their part of the API
"""
