"""Studies of people: a file that plans one, who takes part, paper forms, and the report.

plan.py        a study                          plan_file.py    its file, with every fault by its place
questions.py   what is asked before play        template.py     a new file
paper.py       forms and links to print         forms.py        forms typed in as CSV
roster.py      who is where, in the database    export.py       tables of what was kept
evidence.py    what was kept, for the models    report.py       what was found, as one document
conclusions.py the document in sentences        report_page.py  the document as a page
sample.py      people made up
"""
