"""Networks that learn while users watch.

shapes     the bodies of requests and responses
kinds      how networks learn: scored games for one, games for two
run        one training, in its own thread
trainings  the trainings of all browsers
routes     their part of the API
"""
