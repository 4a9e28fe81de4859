"""The lab's page.

experiments  the experiments of all browsers: plans, runs, results
documents    the experiments of the source documents
shapes       the bodies of requests and responses
views        experiments as the page shows them
figures      charts, with `drawing` to render them in another process
routes       their part of the API; `service` adds it to the server, or says what it needs
"""
