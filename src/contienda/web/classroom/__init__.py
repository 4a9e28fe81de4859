"""A class on one machine: who may come in, what the teacher does.

classroom    the class: its pupils, its teacher, what was sent to them, whether it is frozen
door         lets nobody in who has not joined, and nothing happen while the class is frozen
routes       the part of the API that pupils and the teacher use
addresses    where the machine can be reached, its QR code and its certificate
"""
