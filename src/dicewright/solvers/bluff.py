"""Solve, evaluate and advise Bluff rounds."""
import time
from fractions import Fraction
import numpy as np
from ..core.solution import Certificate
from ..games.bluff import Bluff, round_tables
from .bluff_program import round_program, spread
from .bluff_tree import best_reply, is_legal, win_or_lose
from .program import solve_program

def go(game):
    t=time.time()
    rnd=win_or_lose(round_tables(game))
    rp=round_program(rnd); t1=time.time()
    w=solve_program(rp.program); t2=time.time()
    plans=[spread(rp,p,w.exact[p]) for p in (0,1)]; t3=time.time()
    legal=[is_legal(rnd,p,plans[p]) for p in (0,1)]; t4=time.time()
    up=best_reply(rnd,0,plans[1]).value; lo=-best_reply(rnd,1,plans[0]).value; t5=time.time()
    print(game.name,legal,lo,up,'build %.2f solve %.2f spread %.2f legal %.2f br %.2f'%(t1-t,t2-t1,t3-t2,t4-t3,t5-t4),flush=True)
