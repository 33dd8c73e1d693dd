"""What a race strategy is worth, proved from the rules alone: nothing here imports a solver."""
