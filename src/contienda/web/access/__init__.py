"""Who may ask, and how often.

listener     connections that are refused before they cost anything
connections  connections to the server: limits per address and in total; slow clients are cut off
gate         refuses a client that asks too often before its request is parsed
guard        checks the Host and Origin of every request
identity     recognises browsers by their signed cookies
rates        requests per second
sockets      open WebSockets
logs         a log of bounded length
"""
