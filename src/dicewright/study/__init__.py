"""Studies of people: a file that plans one, who takes part, paper forms, and the report.

plan.py        a study                          plan_file.py   its file, with every fault by its place
questions.py   what is asked before play        template.py    a new file
"""
