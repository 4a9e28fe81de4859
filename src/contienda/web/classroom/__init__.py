"""A class on one machine: who may join, and what the teacher can do.

classroom    the class: its pupils, its teacher, what was sent to them, whether it is frozen
door         admits only pupils who have joined, and pauses everything while the class is frozen
routes       the part of the API that pupils and the teacher use
addresses    where the machine can be reached, its QR code and its certificate
"""
